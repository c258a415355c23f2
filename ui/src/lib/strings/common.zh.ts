/** Chinese words that many places share. */

import { plural } from "../plural";
import type { commonEn } from "./common.en";

const count = plural("zh");

export const commonZh: typeof commonEn = {
  appName: "Diglot",
  cancel: "取消",
  close: "关闭",
  save: "保存",
  back: "返回",
  loading: "正在加载",
  more: "显示更多",
  units: (n) => count(n, { other: "# 个单元" }),
  tokens: (n) => count(n, { other: "# 个词元" }),
  progress: (done, all) => `${done} / ${all}`,
  languages: (source, target) => `${source}译${target}`,
};
