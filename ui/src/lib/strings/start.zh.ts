/** Chinese words of the start. */

import { plural } from "../plural";
import type { startEn } from "./start.en";

const count = plural("zh");

export const startZh: typeof startEn = {
  drop: "拖入要翻译的文件夹",
  dropNow: "松开即可打开",
  dropHint: "原文件只会被读取。译文写入旁边的新文件夹。",
  choose: "选择文件夹",
  sample: "试用示例",
  opening: "正在读取文件夹",
  recent: "最近的会话",
  provider: "草稿来自",
  offlineState: (n) => count(n, { other: "无需网络，# 个语言包" }),
  offlineNoPack: "还没有语言包；只能起草您以前译过的内容",
  noKey: "需要密钥",
  ready: "可用",
  changeProvider: "在设置中更改",
  readOnly: "历史由更新版本的 Diglot 写入，只能查看。请更新 Diglot 后继续。",
  recovered: (where) => `历史已损坏，已新建一份。旧的保存在 ${where}。`,
  setup: {
    title: (name) => `翻译 ${name}`,
    another: "换一个文件夹",
    files: "文件",
    summary: (documents, all) => count(all, { other: `# 个文件中有 ${documents} 个可翻译` }),
    none: "这里还没有可翻译的文件。支持 Markdown（.md）和纯文本（.txt）。请选择其他文件夹。",
    noFiles: "文件夹是空的",
    formats: { "plain text": "文本" },
    more: "显示更多文件",
    from: "原文语言",
    to: "译文语言",
    detected: "自动检测；如有误请更改。",
    notDetected: "未能检测，请选择。",
    choose: "选择语言",
    noLanguage: "没有匹配的语言。也可输入代码，如 pt-BR。",
    instructions: "说明（可选）",
    instructionsHint: "整个文件夹都要遵守什么？例如：语气随意，产品名保留英文。",
    start: "开始",
    go: (language) => `继续译成${language}`,
    there: (language, progress) => `已有译成${language}的会话：已确认 ${progress}。将从上次的位置继续。`,
    afresh: "重新开始",
    same: "两种语言相同。",
  },
};
