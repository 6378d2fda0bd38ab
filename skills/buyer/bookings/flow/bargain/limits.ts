import type { FlowSession } from "../session.ts";

/** A price up to a quarter above the limit may still be talked down to it. */
const bandPercent = 125;

/** Whether prices are talked about in this job. */
export const negotiates = (session: FlowSession): boolean =>
  session.policy.negotiates && session.job().brief.negotiation !== null;

/** The price up to which a product is worth asking for; null without a limit. */
export const worthAsking = (session: FlowSession): number | null => {
  const { max_cpm_micros: limit } = session.job().brief;
  return limit === null || !negotiates(session) ? limit : Math.floor((limit * bandPercent) / 100);
};
