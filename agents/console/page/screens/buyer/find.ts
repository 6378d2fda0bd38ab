import { screenOf } from "../../address.ts";
import { useRead } from "../../agent/read.ts";
import * as buyer from "../../agent/buyer.generated.ts";
import { plain, roundMoney } from "../../form.ts";
import type { UseFound } from "../screen.ts";

/** Campaigns by id or name. */
export const useBuyerSearch: UseFound = (text) => {
  const read = useRead(buyer.listBookings, text.length < 2 ? null : { q: text, limit: 8 }, [], false);
  const found = (read.output?.jobs ?? []).map((job) => ({
    href: screenOf("campaigns", job.job_id),
    kind: "Campaign",
    title: plain(job.campaign_name),
    note: `${roundMoney(job.budget, "USD")}, ${plain(job.job_id, 40)}`,
    isExact: job.job_id === text,
  }));
  return { found, ...read, isLooking: read.isLoading };
};
