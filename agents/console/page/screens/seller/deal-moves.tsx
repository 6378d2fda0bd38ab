import { useLocation } from "preact-iso";
import { useState } from "preact/hooks";
import { screenOf } from "../../address.ts";
import type { OutputOf } from "../../agent/api.ts";
import * as seller from "../../agent/seller.generated.ts";
import { canWrite } from "../../agent/session.ts";
import { buyerName, count, moment, money, plain } from "../../form.ts";
import { Act } from "../../parts/act.tsx";
import { Field } from "../../parts/field.tsx";

export interface DealMovesProps {
  readonly deal: OutputOf<typeof seller.getDeal>;
  readonly again: () => void;
}

/** What the page of such a deal says is said by its moves. */
export const isToActivate = ({ status, awaiting_approval: isWaiting }: DealMovesProps["deal"]): boolean =>
  status === "proposed" && isWaiting !== true;

const cancelSteps =
  "The deal stays as it is until a senior operator approves the cancellation and applies it, on the next page.";

/** A cancellation is a change like any other: it is asked for here, and approved and applied on its own page. */
const CancelDeal = ({ deal }: Pick<DealMovesProps, "deal">) => {
  const { route } = useLocation();
  const [reason, setReason] = useState("");
  const whose = buyerName(deal.buyer_name, deal.buyer);
  const asked = (deal.changes_waiting ?? []).find(({ change_type: type }) => type === "cancellation");
  if (asked !== undefined) {
    return (
      <p class="notice warn">
        A cancellation is asked for. <a href={screenOf("changes", asked.change_request_id)}>Decide it</a>
      </p>
    );
  }
  return (
    <p class="row">
      <Act
        op={seller.cancelDeal}
        input={{ deal_id: deal.deal_id, ...(reason.trim() === "" ? {} : { reason: reason.trim() }) }}
        label="Cancel the deal"
        tone="danger"
        verb="Go on to the cancellation"
        question={`${whose}: ${plain(deal.product.name)}, ${money(
          deal.total_cost,
          deal.pricing.currency,
        )}. ${cancelSteps}`}
        after={(made) => route(screenOf("changes", made.change_request_id))}
      >
        <Field label="Reason, the buyer may read it (optional)" value={reason} onInput={setReason} maxLength={500} />
      </Act>
    </p>
  );
};

/** Activate or reject a booked deal, and until when; cancel an active one. */
export const DealMoves = ({ deal, again }: DealMovesProps) => {
  const [reason, setReason] = useState("");
  if (deal.status === "active") return <CancelDeal deal={deal} />;
  if (deal.status !== "proposed") return null;
  const terms = `${plain(deal.product.name)}, ${count(deal.terms.impressions)} impressions at ${money(
    deal.pricing.final_cpm,
    deal.pricing.currency,
  )}.`;
  const move = (to: "active" | "rejected", why = "") => ({
    op: seller.transitionDeal,
    input: { deal_id: deal.deal_id, to_status: to, ...(why === "" ? {} : { reason: why }) },
    revisionOf: () => deal.revision,
    again,
    after: again,
  });
  return (
    <>
      <p>
        To activate. {canWrite() ? "Click Activate" : "An operator activates it"} before {moment(deal.expires_at)}, or
        it expires and nothing is sold.
      </p>
      <p class="row">
        <Act
          {...move("active")}
          label="Activate"
          look="primary"
          question={`${terms} It becomes active and may deliver. Only a cancellation takes that back.`}
        />
        <Act
          {...move("rejected", reason.trim())}
          label="Reject"
          tone="danger"
          question={`${terms} It is rejected and gives its impressions back. This cannot be taken back.`}
        >
          <Field label="Reason, the buyer may read it (optional)" value={reason} onInput={setReason} maxLength={500} />
        </Act>
      </p>
    </>
  );
};
