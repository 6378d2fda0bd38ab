import type { AudiencePlan } from "../../../../../protocol/audience-plan/schema.ts";
import { withoutParts } from "../../../../../protocol/audience-plan/without-parts.ts";
import { plannedAudience } from "../../audience.ts";
import type { Brief, Recommendation } from "../../record.ts";
import type { SellerFailure } from "../ports.ts";

/** Changes of one line's plan after which a seller that always finds something more is believed to want none. */
const mostChanges = 5;

/** The plan that a line is booked with: that of the brief without what its seller refused so far; null without one. */
export const planFor = (brief: Brief, line: Recommendation): AudiencePlan | null =>
  (line.left_out ?? []).reduce<AudiencePlan | null>(
    (plan, paths) => plan && withoutParts(plan, paths),
    plannedAudience(brief.target_audience)?.plan ?? null,
  );

/** The key of a line's booking with the plan that it has now: another plan is another request. */
export const bookingKey = ({ booking_key: key, left_out: leftOut = [] }: Recommendation): string =>
  leftOut.length === 0 ? key : `${key}-${leftOut.length}`;

/** A path without the member of the reference: what is left out is the reference. */
const refPath = (path: string): string => path.replace(/\..*/s, "");

/** What is to be left out of a plan after a refusal: exactly what it lists; null where that is not possible. */
export const refusedPaths = (
  plan: AudiencePlan | null,
  line: Recommendation,
  refusal: SellerFailure,
): readonly string[] | null => {
  const isRefused = refusal.status === 400 && refusal.code === "audience_plan_unsupported";
  if (plan === null || !isRefused || (line.left_out ?? []).length === mostChanges) return null;
  const paths = [...new Set(refusal.unsupported.map(({ path }) => refPath(path)))];
  return withoutParts(plan, paths) === null ? null : paths;
};
