/** The Chinese catalogue. */

import type { en } from "./en";
import { commonZh } from "./common.zh";
import { effortZh } from "./effort.zh";
import { errorsZh } from "./errors.zh";
import { guidesZh } from "./guides.zh";
import { reviewZh } from "./review.zh";
import { settingsZh } from "./settings.zh";
import { startZh } from "./start.zh";
import { termsZh } from "./terms.zh";
import { windowZh } from "./window.zh";

export const zh: typeof en = {
  common: commonZh,
  effort: effortZh,
  errors: errorsZh,
  guides: guidesZh,
  review: reviewZh,
  settings: settingsZh,
  start: startZh,
  terms: termsZh,
  window: windowZh,
};
