import { useState } from "preact/hooks";
import { call, isReached, type OutputOf } from "../../../agent/api.ts";
import { useOneByOne } from "../../../agent/one-by-one.ts";
import * as seller from "../../../agent/seller.generated.ts";
import { useRead } from "../../../agent/read.ts";
import { plain, plural } from "../../../form.ts";
import { Modal } from "../../../parts/modal.tsx";
import { SheetButton } from "../../../parts/sheet-button.tsx";
import { Shown } from "../../../parts/states.tsx";

type Delivery = OutputOf<typeof seller.listWebhookDeliveries>["deliveries"][number];

const most = 200;

interface SheetProps {
  readonly webhook: string;
  readonly close: () => void;
}

/** Each on its own and once, however often it is pressed; what was refused says why. */
const Rows = ({ webhook, rows }: { readonly webhook: string; readonly rows: readonly Delivery[] }) => {
  const [given] = useState(rows);
  const { outcomes, isSending, isOver, run } = useOneByOne({
    ids: given.map(({ delivery_id: id }) => id),
    doneWord: "sent again",
    send: (id, nonce) =>
      call(
        seller.replayWebhookDelivery,
        { webhook_id: webhook, delivery_id: id },
        { idempotencyKey: `console-replay-${id}-${nonce}` },
      ),
  });
  return (
    <form
      class="stack"
      onSubmit={(event) => {
        event.preventDefault();
        if (!isOver && !isSending) void run();
      }}
    >
      <p>
        {plural(given.length, "delivery", "deliveries")} failed for good
        {given.length === most ? " or more; these are the newest" : ""}. Each is sent again with its own id, so that the
        receiver can tell.
      </p>
      <ul class="lines">
        {given.map(({ delivery_id: id, event_type: type }) => (
          <li key={id}>
            <span>
              {plain(type)} <code>{plain(id)}</code>
            </span>
            <b>{outcomes[id]}</b>
          </li>
        ))}
      </ul>
      <div class="row">
        <button type="submit" class="button primary" disabled={isOver || isSending || !isReached.value}>
          {`Yes, send ${given.length} again`}
        </button>
      </div>
    </form>
  );
};

const Sheet = ({ webhook, close }: SheetProps) => {
  const read = useRead(seller.listWebhookDeliveries, { webhook_id: webhook, status: "dead" as const, limit: most });
  return (
    <Modal title="Send all failed again" close={close}>
      <Shown read={read}>
        {({ deliveries }) =>
          deliveries.length === 0 ? <p>None failed for good.</p> : <Rows webhook={webhook} rows={deliveries} />
        }
      </Shown>
    </Modal>
  );
};

export const ReplayAll = ({ webhook, after }: { readonly webhook: string; readonly after: () => void }) => (
  <SheetButton
    label="Send all failed again"
    after={after}
    sheet={(close) => <Sheet webhook={webhook} close={close} />}
  />
);
