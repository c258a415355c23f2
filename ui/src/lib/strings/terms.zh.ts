/** Chinese words of the termbase. */

import { plural } from "../plural";
import type { termsEn } from "./terms.en";

const count = plural("zh");

export const termsZh: typeof termsEn = {
  title: "术语",
  search: "搜索术语",
  empty: "还没有术语。可以新建一条、导入 TBX 或 CSV 文件，或在审校中选中词语后添加。",
  nothing: "没有包含此文字的术语。",
  status: "状态",
  statuses: { preferred: "首选", admitted: "可用", forbidden: "禁用" },
  note: "备注",
  actions: "操作",
  add: "新建术语",
  edit: (term) => `编辑“${term}”`,
  remove: (term) => `删除“${term}”`,
  removeYes: "删除",
  removeNo: "保留",
  shown: (from, to, all) => `第 ${from} 至 ${to} 条，共 ${all} 条`,
  earlier: "上一页",
  later: "下一页",
  import: "导入…",
  export: "导出…",
  form: "导出格式",
  forms: { tbx2: "TBX 2", tbx3: "TBX 3", csv: "CSV" },
  exported: (path) => `已写入：${path}`,
  brought: (file, added, changed, same) =>
    `${file}：新增 ${count(added, { other: "#" })} 条，更改 ${count(changed, { other: "#" })} 条，${count(same, { other: "#" })} 条未变。`,
  refused: (n) => count(n, { other: "# 个条目未导入" }),
  line: (n) => `第 ${n} 行：`,
  reasons: {
    noSource: "没有源语言术语",
    noTarget: "没有目标语言术语",
    noLetter: "术语中没有文字或数字",
    tooLong: "过长，不能作为术语",
    unknownStatus: "状态无法识别",
  },
  leftOut: (names) => `术语库不保存：${names}。`,
};
