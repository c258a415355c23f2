/** The English catalogue: one section a part of the window. The other languages are typed by it. */

import { commonEn } from "./common.en";
import { effortEn } from "./effort.en";
import { errorsEn } from "./errors.en";
import { guidesEn } from "./guides.en";
import { reviewEn } from "./review.en";
import { settingsEn } from "./settings.en";
import { startEn } from "./start.en";
import { termsEn } from "./terms.en";
import { windowEn } from "./window.en";

export const en = {
  common: commonEn,
  effort: effortEn,
  errors: errorsEn,
  guides: guidesEn,
  review: reviewEn,
  settings: settingsEn,
  start: startEn,
  terms: termsEn,
  window: windowEn,
};
