import type { FlowSession } from "../session.ts";

/** A price up to a quarter above the limit may still be negotiated down to it. */
const bandPercent = 125;

export const negotiates = (session: FlowSession): boolean =>
  session.policy.negotiates && session.job().brief.negotiation !== null;

/** Null without a limit. */
export const worthAsking = (session: FlowSession): number | null => {
  const { max_cpm_micros: limit } = session.job().brief;
  return limit === null || !negotiates(session) ? limit : Math.floor((limit * bandPercent) / 100);
};
