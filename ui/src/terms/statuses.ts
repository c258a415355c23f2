/** The order in which a term's statuses are offered. */

import type { TermStatusView } from "../backend/bindings/TermStatusView";

export const STATUSES: readonly TermStatusView[] = ["preferred", "admitted", "forbidden"];
