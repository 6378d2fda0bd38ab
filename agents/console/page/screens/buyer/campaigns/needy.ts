import type { OutputOf } from "../../../agent/api.ts";
import * as buyer from "../../../agent/buyer.generated.ts";
import { nowMs } from "../../../clock.ts";
import { useRead } from "../../../agent/read.ts";

type Listed = OutputOf<typeof buyer.listBookings>["jobs"][number];

/** Money of lost lines that is still to be spent, in a campaign that has not ended. */
export const hasLost = ({ lost, unspent, end_date: end }: Listed): boolean =>
  (lost?.lines ?? 0) > 0 && (unspent ?? 0) >= 1 && (end ?? "") >= new Date(nowMs.value).toISOString().slice(0, 10);

/** Campaigns that wait for a yes, and those whose lines were lost. */
export const useNeedy = () => {
  const events = ["campaign.", "booking.", "deal."];
  const waiting = useRead(buyer.listBookings, { status: "awaiting_approval", limit: 10 }, events, false);
  const ended = useRead(buyer.listBookings, { status: ["completed", "failed"], limit: 100 }, events, false);
  return { waiting, hurt: ended.output?.jobs.filter(hasLost) ?? [] };
};

export const useCampaignsBadge = (): number | null => {
  const { waiting, hurt } = useNeedy();
  return waiting.output === null ? null : waiting.output.total + hurt.length;
};
