/** Chinese words of the guides. */

import { plural } from "../plural";
import type { guidesEn } from "./guides.en";

const count = plural("zh");

export const guidesZh: typeof guidesEn = {
  title: "指南",
  open: "指南",
  intro: "打开后，指南对本文件夹有效：助手能看到它的标题，需要时读取其中一页。",
  empty:
    "指南是一页说明，写一次即可用于多个项目：机构的文风、某个领域的用词、客户的要求。请写下第一份，或导入 Markdown 文件。",
  add: "新建指南",
  import: "导入…",
  list: "指南",
  holds: (title) => `对本文件夹使用“${title}”`,
  size: (n) => count(n, { other: "约 # 个词元" }),
  edit: (title) => `编辑“${title}”`,
  export: (title) => `导出“${title}”`,
  remove: (title) => `删除“${title}”`,
  removeAsk: (title) => `要从所有项目中删除“${title}”吗？`,
  removeYes: "删除",
  removeNo: "保留",
  exported: (path) => `已写入：${path}`,
  newTitle: "新建指南",
  editTitle: "修改指南",
  text: "正文（Markdown）",
  textHint: "第一个标题就是指南的名称。",
  example: "# 文风\n\n句子要短。不用感叹号。产品名称保留英文。",
  replaces: (title) => `已有指南“${title}”。保存会替换它的正文。`,
  discardAsk: "您写的内容尚未保存。",
  discard: "放弃",
  keepWriting: "继续写",
};
