/** Chinese words that many places share. */

import { plural } from "../plural";
import type { commonEn } from "./common.en";

const count = plural("zh");

export const commonZh: typeof commonEn = {
  appName: "Diglot",
  cancel: "取消",
  close: "关闭",
  save: "保存",
  saved: "已保存",
  delete: "删除",
  edit: "编辑",
  rename: "重命名",
  add: "添加",
  back: "返回",
  retry: "重试",
  search: "搜索",
  loading: "正在加载",
  none: "无",
  on: "开",
  off: "关",
  more: "显示更多",
  units: (n) => count(n, { other: "# 个单元" }),
  files: (n) => count(n, { other: "# 个文件" }),
  tokens: (n) => count(n, { other: "# 个词元" }),
  characters: (n) => count(n, { other: "# 个字符" }),
  progress: (done, all) => `${done} / ${all}`,
  languages: (source, target) => `${source}译${target}`,
};
