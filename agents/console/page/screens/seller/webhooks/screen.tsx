import { useLocation } from "preact-iso";
import type { OutputOf } from "../../../agent/api.ts";
import { oneOf, screenOf, useAddress } from "../../../address.ts";
import { nowMs } from "../../../clock.ts";
import { ago, moment, plain } from "../../../form.ts";
import * as seller from "../../../agent/seller.generated.ts";
import { Act } from "../../../parts/act.tsx";
import { Chip } from "../../../parts/bits.tsx";
import { Filter, Page } from "../../../parts/page.tsx";
import { Rows } from "../../../parts/rows.tsx";
import { Empty } from "../../../parts/states.tsx";
import type { Column } from "../../../parts/table.tsx";
import { useRead } from "../../../agent/read.ts";
import { statusWords, toneOf, wordOf } from "../../../words.ts";
import type { ScreenProps } from "../../screen.ts";
import { failureOf } from "./failure.ts";
import { NewWebhook } from "./new-webhook.tsx";
import { ReplayAll } from "./replay-all.tsx";

type Hook = OutputOf<typeof seller.getWebhook>;
type Delivery = OutputOf<typeof seller.listWebhookDeliveries>["deliveries"][number];

const columns: readonly Column<Hook>[] = [
  { name: "Address", isLead: true, cell: (hook) => plain(hook.url, 120) },
  { name: "Events", cell: (hook) => plain(hook.event_types.join(", "), 200) },
  { name: "Made", cell: (hook) => ago(hook.created_at, nowMs.value) },
];

const HookList = () => {
  const { query } = useAddress();
  const { cursor } = query;
  const read = useRead(seller.listWebhooks, { limit: 50, cursor });
  return (
    <Page title="Webhooks" note="Where events are posted, and whether they arrive.">
      <NewWebhook again={read.again} />
      <Rows
        read={read}
        rowsOf={(page) => page.webhooks}
        caption="Webhooks"
        columns={columns}
        idOf={(hook) => hook.webhook_id ?? hook.url}
        link={(hook) => screenOf("webhooks", hook.webhook_id ?? "")}
        empty={<Empty title="No webhook.">Make one above; its secret is shown once.</Empty>}
      />
    </Page>
  );
};

const statuses = ["pending", "delivered", "dead"] as const;

const deliveryColumns = (webhook: string, again: () => void): readonly Column<Delivery>[] => [
  { name: "Event", isLead: true, cell: (delivery) => plain(delivery.event_type) },
  {
    name: "Status",
    cell: ({ status }) => <Chip tone={toneOf(status)}>{wordOf(statusWords, status)}</Chip>,
  },
  { name: "Attempts", isNumber: true, cell: (delivery) => delivery.attempts },
  { name: "What failed", cell: failureOf },
  { name: "Next attempt", cell: ({ next_attempt_at: next }) => (next === null ? "none" : moment(next)) },
  { name: "Made", cell: (delivery) => ago(delivery.created_at, nowMs.value) },
  { name: "Id", cell: (delivery) => <code>{plain(delivery.delivery_id)}</code> },
  {
    name: "Repeat",
    isAct: true,
    cell: (delivery) => (
      <Act
        op={seller.replayWebhookDelivery}
        input={{ webhook_id: webhook, delivery_id: delivery.delivery_id }}
        label="Send again"
        question="The same event is sent once more, with its own id, so that the receiver can tell."
        after={again}
      />
    ),
  },
];

const HookPage = ({ id }: { readonly id: string }) => {
  const { query } = useAddress();
  const { route } = useLocation();
  const status = oneOf(statuses, query["status"]);
  const { cursor } = query;
  const hook = useRead(seller.getWebhook, { webhook_id: id });
  const read = useRead(
    seller.listWebhookDeliveries,
    {
      webhook_id: id,
      status,
      cursor,
      limit: 50,
    },
    [""],
  );
  return (
    <Page
      title={hook.output === null ? "Webhook" : plain(hook.output.url, 120)}
      back={{ href: screenOf("webhooks"), label: "All webhooks" }}
      note={hook.output === null ? undefined : plain(hook.output.event_types.join(", "), 300)}
    >
      <p class="row">
        <ReplayAll webhook={id} after={read.again} />
        <Act
          op={seller.deleteWebhook}
          input={{ webhook_id: id }}
          label="Delete"
          tone="danger"
          question="Nothing more is sent there, what still waits included. This is for good."
          after={() => route(screenOf("webhooks"))}
        />
      </p>
      <Filter name="status" label="Status" values={statuses} wordOf={(value) => wordOf(statusWords, value)} />
      <Rows
        read={read}
        rowsOf={(page) => page.deliveries}
        caption="Deliveries"
        columns={deliveryColumns(id, read.again)}
        idOf={(delivery) => delivery.delivery_id}
        empty={<Empty title="Nothing was sent.">The next event of these types appears here.</Empty>}
      />
    </Page>
  );
};

export const WebhooksScreen = ({ id }: ScreenProps) => (id === null ? <HookList /> : <HookPage key={id} id={id} />);
