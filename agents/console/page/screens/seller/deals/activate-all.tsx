import { call, isReached, type OutputOf } from "../../../agent/api.ts";
import * as seller from "../../../agent/seller.generated.ts";
import { canWrite } from "../../../agent/session.ts";
import { buyerName, plain, plural, roundMoney } from "../../../form.ts";
import { EachSheet } from "../../../parts/each-sheet.tsx";

type Listed = OutputOf<typeof seller.listDeals>["deals"][number];

interface ButtonProps {
  readonly deals: readonly Listed[];
  readonly press: (deals: readonly Listed[]) => void;
}

export const ActivateButton = ({ deals, press }: ButtonProps) =>
  deals.length === 0 || !canWrite() ? null : (
    <button type="button" class="button small" disabled={!isReached.value} onClick={() => press(deals)}>
      {`Activate ${deals.length === 1 ? "it" : `all ${deals.length}`}`}
    </button>
  );

interface SheetProps {
  /** As they were when the button was pressed; null while it is not. */
  readonly deals: readonly Listed[] | null;
  readonly close: () => void;
}

/** Stands apart from its button: a deal that became active leaves the list, and the button goes with the last. */
export const ActivateSheet = ({ deals, close }: SheetProps) =>
  deals === null ? null : (
    <EachSheet
      title={`Activate ${plural(deals.length, "deal")}?`}
      question="They become active and may deliver. Only a cancellation takes that back."
      rows={deals}
      idOf={(deal) => deal.deal_id}
      lineOf={(deal) => (
        <>
          <span>
            {buyerName(deal.buyer_name, deal.buyer)}, {plain(deal.product.name)}
          </span>
          <span>{roundMoney(deal.value, deal.pricing.currency)}</span>
        </>
      )}
      doneWord="active"
      verb={`Yes, activate ${deals.length}`}
      send={(deal, nonce) =>
        call(
          seller.transitionDeal,
          { deal_id: deal.deal_id, to_status: "active" },
          {
            idempotencyKey: `console-activate-${deal.deal_id}-${nonce}`,
            ...(deal.revision === undefined ? {} : { ifMatch: String(deal.revision) }),
          },
        )
      }
      close={close}
    />
  );
