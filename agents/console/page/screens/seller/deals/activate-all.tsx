import { call, type OutputOf } from "../../../agent/api.ts";
import * as seller from "../../../agent/seller.generated.ts";
import { buyerName, plain, plural, roundMoney } from "../../../form.ts";
import { EachSheet } from "../../../parts/each-sheet.tsx";
import { SheetButton } from "../../../parts/sheet-button.tsx";

type Listed = OutputOf<typeof seller.listDeals>["deals"][number];

/** The deals that are shown, at once. */
export const ActivateAll = ({ deals, after }: { readonly deals: readonly Listed[]; readonly after: () => void }) => (
  <SheetButton
    label={`Activate ${deals.length === 1 ? "it" : `all ${deals.length}`}`}
    after={after}
    sheet={(close) => (
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
    )}
  />
);
