import { useEffect } from "preact/hooks";
import { useRead } from "../../agent/read.ts";
import * as seller from "../../agent/seller.generated.ts";
import { announce } from "../../announce.ts";
import { plural } from "../../form.ts";

export const useApprovalsBadge = (): number | null => {
  const read = useRead(seller.listApprovals, { status: ["pending"], limit: 1 }, ["approval."], false);
  const waiting = read.output?.waiting.count ?? null;
  useEffect(() => {
    if (waiting !== null) announce(`${plural(waiting, "approval")} waiting.`);
  }, [waiting]);
  return waiting;
};

const useDesk = () => useRead(seller.getDeskStatus, {}, [""], false).output;

/** As on Home: what waits for a yes, and what is approved and waits to be written. */
export const useChangesBadge = (): number | null => useDesk()?.changes.count ?? null;

export const useTalksBadge = (): number | null => useDesk()?.handovers.count ?? null;
