import type { AudiencePlan } from "../../../../../protocol/audience-plan/schema.ts";
import { withoutParts } from "../../../../../protocol/audience-plan/without-parts.ts";
import { plannedAudience } from "../../audience.ts";
import type { Brief, Recommendation } from "../../record.ts";
import type { BookingCallFailure } from "../ports.ts";

/** A seller that refuses more after this many changes is taken to want no plan. */
const mostChanges = 5;

export const planFor = (brief: Brief, line: Recommendation): AudiencePlan | null =>
  (line.left_out ?? []).reduce<AudiencePlan | null>(
    (plan, paths) => plan && withoutParts(plan, paths),
    plannedAudience(brief.target_audience)?.plan ?? null,
  );

/** Another plan is another request, so it needs another key. */
export const bookingKey = ({ booking_key: key, left_out: leftOut = [] }: Recommendation): string =>
  leftOut.length === 0 ? key : `${key}-${leftOut.length}`;

/** What is left out is the whole reference. */
const refPath = (path: string): string => path.replace(/\..*/s, "");

/** Exactly what the refusal lists; null where that is not possible. */
export const refusedPaths = (
  plan: AudiencePlan | null,
  line: Recommendation,
  refusal: BookingCallFailure,
): readonly string[] | null => {
  const isRefused = refusal.status === 400 && refusal.code === "audience_plan_unsupported";
  if (plan === null || !isRefused || (line.left_out ?? []).length === mostChanges) return null;
  const paths = [...new Set(refusal.unsupported.map(({ path }) => refPath(path)))];
  return withoutParts(plan, paths) === null ? null : paths;
};
