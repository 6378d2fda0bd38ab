import type { OutputOf } from "../../agent/api.ts";
import { seller } from "../../agent/operations.ts";
import { canWrite } from "../../agent/session.ts";
import { count, moment, money, plain } from "../../form.ts";
import { Act } from "../../parts/act.tsx";

export interface DealMovesProps {
  readonly deal: OutputOf<typeof seller.getDeal>;
  readonly again: () => void;
}

/** What the page of such a deal says is said by its moves. */
export const isToActivate = ({ status, awaiting_approval: isWaiting }: DealMovesProps["deal"]): boolean =>
  status === "proposed" && isWaiting !== true;

/** Activate or reject a booked deal, and until when. */
export const DealMoves = ({ deal, again }: DealMovesProps) => {
  if (deal.status !== "proposed") return null;
  const terms = `${plain(deal.product.name)}, ${count(deal.terms.impressions)} impressions at ${money(
    deal.pricing.final_cpm,
    deal.pricing.currency,
  )}.`;
  const move = (to: "active" | "rejected") => ({
    op: seller.transitionDeal,
    input: { deal_id: deal.deal_id, to_status: to },
    revisionOf: () => deal.revision,
    again,
    after: again,
  });
  return (
    <>
      <p>
        Booked, and not active yet. {canWrite() ? "Click Activate" : "An operator activates it"} before{" "}
        {moment(deal.expires_at)}, or it expires and nothing is sold.
      </p>
      <p class="row">
        <Act
          {...move("active")}
          label="Activate"
          look="primary"
          question={`${terms} It becomes active and may deliver. Only a cancellation takes that back.`}
        />
        <Act
          {...move("rejected")}
          label="Reject"
          tone="danger"
          question={`${terms} It is rejected and gives its impressions back. This cannot be taken back.`}
        />
      </p>
    </>
  );
};
