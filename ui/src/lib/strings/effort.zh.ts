/** Chinese words of what shows that it works: receipts of drafts, effort and cost. */

import type { effortEn } from "./effort.en";
import { plural } from "../plural";

const count = plural("zh");

export const effortZh: typeof effortEn = {
  receipt: {
    title: (unit, path) => `${path} 第 ${unit} 段的译稿是怎样生成的`,
    open: "译稿的依据",
    openFrom: (origin) => `${origin}：译稿的依据`,
    none: "这一段没有可以说明的译稿。",
    draftedBy: "译者",
    modelAt: (model, host) => `${host} 上的 ${model}`,
    here: "Diglot，在本机",
    unknownModel: "旧版本没有记录所用的模型",
    origin: "来源",
    tokens: "词元",
    usage: (input, cached, output) => `发送 ${input}，其中缓存 ${cached}；收到 ${output}`,
    sharedBy: (n) => count(n, { other: "共 # 份译稿" }),
    context: "所给原文",
    block: (from, to, path) => `${path} 第 ${from} 至 ${to} 段`,
    memory: "记忆",
    noMemory: "尚未学到内容",
    memoryVersion: (n) => count(n, { other: "# 条，版本" }),
    versionHint: "此名称相同的译稿用的是相同的记忆。",
    sharesTitle: "请求由什么组成",
    sharesHint: "按长度分配；总数是服务商自己的计数。",
    source: "来源",
    shares: {
      system: "指示",
      tools: "工具",
      memory: "学到的规则",
      terms: "术语",
      messages: "您说过的话",
      examples: "范例",
      matches: "匹配",
      source: "原文",
      turns: "先前的往来",
    },
    terms: (n) => count(n, { other: "所给术语 # 条" }),
    rules: (n) => count(n, { other: "所给规则 # 条" }),
    matches: (n) => count(n, { other: "所给匹配 # 条" }),
    pairs: (n) => count(n, { other: "作为范例给出的已确认句对 # 条" }),
    concerns: "本段原文中有",
    forbidden: "禁用",
    late: "刚刚学到",
    nothingSent: "没有发送任何内容：这份译稿是在本机生成的。",
    request: "发送的请求原文",
    requestUnknown: "旧版本的 Diglot 没有记录向模型提问的方式。",
    exact: (size) => `与发送的内容逐字节相同，${size}。其中不含密钥。`,
    notExact: "由与发送时不同版本的 Diglot 重新生成，措辞可能不同。",
    roles: {
      system: "给模型的指示",
      user: "来自您和 Diglot",
      assistant: "模型先前的回答",
      tool: "工具的结果",
    },
    asText: "作为一段文本（JSON）",
    copy: "复制请求",
    copied: "已复制",
  },
};
