import { useState } from "preact/hooks";
import { call, isReached, type OutputOf } from "../../agent/api.ts";
import { useOneByOne } from "../../agent/one-by-one.ts";
import { seller } from "../../agent/operations.ts";
import { plain, plural, roundMoney } from "../../form.ts";
import { Modal } from "../../parts/modal.tsx";
import { SheetButton } from "../../parts/sheet-button.tsx";

type Listed = OutputOf<typeof seller.listDeals>["deals"][number];

const Sheet = ({ deals, close }: { readonly deals: readonly Listed[]; readonly close: () => void }) => {
  const [given] = useState(deals);
  const { outcomes, isSending, isOver, run } = useOneByOne({
    ids: given.map(({ deal_id: id }) => id),
    doneWord: "active",
    send: (id, nonce) => {
      const revision = given.find((deal) => deal.deal_id === id)?.revision;
      const input = { deal_id: id, to_status: "active" as const };
      return call(seller.transitionDeal, input, {
        idempotencyKey: `console-activate-${id}-${nonce}`,
        ...(revision === undefined ? {} : { ifMatch: String(revision) }),
      });
    },
  });
  return (
    <Modal title={`Activate ${plural(given.length, "deal")}?`} close={close}>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          if (!isOver && !isSending) void run();
        }}
      >
        <p>They become active and may deliver. Only a cancellation takes that back.</p>
        <ul class="lines">
          {given.map((deal) => (
            <li key={deal.deal_id}>
              <span>
                {plain(deal.buyer_name ?? deal.buyer)}, {plain(deal.product.name)}
              </span>
              <span>
                {roundMoney(deal.value, deal.pricing.currency)} <b>{outcomes[deal.deal_id]}</b>
              </span>
            </li>
          ))}
        </ul>
        <div class="row">
          <button type="submit" class="button primary" disabled={isOver || isSending || !isReached.value}>
            {`Yes, activate ${given.length}`}
          </button>
        </div>
      </form>
    </Modal>
  );
};

/** The deals that are shown, at once. */
export const ActivateAll = ({ deals, after }: { readonly deals: readonly Listed[]; readonly after: () => void }) => (
  <SheetButton
    label={`Activate ${deals.length === 1 ? "it" : `all ${deals.length}`}`}
    after={after}
    sheet={(close) => <Sheet deals={deals} close={close} />}
  />
);
