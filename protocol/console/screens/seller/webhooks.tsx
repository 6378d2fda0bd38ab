import type { OutputOf } from "../../agent/api.ts";
import { oneOf, screenOf, useAddress } from "../../address.ts";
import { nowMs } from "../../clock.ts";
import { ago, moment, plain } from "../../form.ts";
import { seller } from "../../agent/operations.ts";
import { Act } from "../../parts/act.tsx";
import { Chip } from "../../parts/bits.tsx";
import { Filter, Page, Pager } from "../../parts/page.tsx";
import { Empty, Shown } from "../../parts/states.tsx";
import { type Column, Table } from "../../parts/table.tsx";
import { useRead } from "../../agent/read.ts";
import { statusWords, toneOf, wordOf } from "../../words.ts";
import type { Screen, ScreenProps } from "../screen.ts";

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
  const read = useRead(seller.listWebhooks, { limit: 50, ...(cursor === undefined ? {} : { cursor }) });
  return (
    <Page title="Webhooks" note="Who is told of events, and whether it arrives.">
      <Shown read={read}>
        {({ webhooks: rows, next_cursor: next }) =>
          rows.length === 0 ? (
            <Empty title="No webhook.">
              Make one with <code>create_webhook</code>; its secret is shown once.
            </Empty>
          ) : (
            <>
              <Table
                caption="Webhooks"
                columns={columns}
                rows={rows}
                idOf={(hook) => hook.webhook_id ?? hook.url}
                link={(hook) => screenOf("webhooks", hook.webhook_id ?? "")}
              />
              <Pager next={next} />
            </>
          )
        }
      </Shown>
    </Page>
  );
};

const statuses = ["pending", "delivered", "dead"] as const;

const deliveryColumns = (webhook: string, again: () => void): readonly Column<Delivery>[] => [
  { name: "Delivery", isLead: true, cell: (delivery) => <code>{plain(delivery.delivery_id)}</code> },
  {
    name: "Status",
    cell: ({ status }) => <Chip tone={toneOf(status)}>{wordOf(statusWords, status)}</Chip>,
  },
  { name: "Attempts", isNumber: true, cell: (delivery) => delivery.attempts },
  {
    name: "Next attempt",
    cell: ({ next_attempt_at: next }) => (next === null ? "none" : moment(next)),
  },
  { name: "Event", cell: (delivery) => <code>{plain(delivery.event_id)}</code> },
  {
    name: "Repeat",
    isAct: true,
    cell: (delivery) =>
      delivery.status === "dead" ? (
        <Act
          op={seller.replayWebhookDelivery}
          input={{ webhook_id: webhook, delivery_id: delivery.delivery_id }}
          label="Send again"
          question="The same event is sent once more, with its own id, so that the receiver can tell."
          after={again}
        />
      ) : (
        ""
      ),
  },
];

const HookPage = ({ id }: { readonly id: string }) => {
  const { query } = useAddress();
  const status = oneOf(statuses, query["status"]);
  const { cursor } = query;
  const hook = useRead(seller.getWebhook, { webhook_id: id });
  const read = useRead(
    seller.listWebhookDeliveries,
    {
      webhook_id: id,
      ...(status === null ? {} : { status }),
      ...(cursor === undefined ? {} : { cursor }),
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
      <Filter name="status" label="Status" values={statuses} wordOf={(value) => wordOf(statusWords, value)} />
      <Shown read={read}>
        {({ deliveries, next_cursor: next }) =>
          deliveries.length === 0 ? (
            <Empty title="Nothing was sent.">The next event of these types appears here.</Empty>
          ) : (
            <>
              <Table
                caption="Deliveries"
                columns={deliveryColumns(id, read.again)}
                rows={deliveries}
                idOf={(delivery) => delivery.delivery_id}
              />
              <Pager next={next} />
            </>
          )
        }
      </Shown>
    </Page>
  );
};

const WebhooksScreen = ({ id }: ScreenProps) => (id === null ? <HookList /> : <HookPage key={id} id={id} />);

export const webhooks: Screen = {
  path: "webhooks",
  label: "Webhooks",
  key: "w",
  hasRows: true,
  component: WebhooksScreen,
};
