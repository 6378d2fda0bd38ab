import { useState } from "preact/hooks";
import { call, type OutputOf } from "../../agent/api.ts";
import { oneOf, screenOf, useAddress } from "../../address.ts";
import { nowMs } from "../../clock.ts";
import { ago, count, flight, moment, money, plain, plural, shortDays, spoken } from "../../form.ts";
import * as seller from "../../agent/seller.generated.ts";
import { session } from "../../agent/session.ts";
import { Act } from "../../parts/act.tsx";
import { Card, Chip, type Fact, Facts } from "../../parts/bits.tsx";
import { CopyId } from "../../parts/copy.tsx";
import { Field } from "../../parts/field.tsx";
import { MachineStates } from "../../parts/machine.tsx";
import { Page } from "../../parts/page.tsx";
import { Empty, Shown } from "../../parts/states.tsx";
import { Table } from "../../parts/table.tsx";
import { useRead } from "../../agent/read.ts";
import { dealStanding, statusWords, toneOf, wordOf } from "../../words.ts";
import type { WorkColumn } from "../../grid/column.ts";
import { buyerColumn, dealBuyer, productColumn, dealProduct, valueColumn } from "../../grid/deal-columns.tsx";
import { WorkPage } from "../../grid/page.tsx";
import { StandingMark } from "../../grid/standing.tsx";
import { DownloadAll } from "../../grid/tools.tsx";
import type { ScreenProps } from "../screen.ts";

type Order = OutputOf<typeof seller.getOrder>;
type DealMoved = OutputOf<typeof seller.transitionOrder>["deal_move"];
type Transition = Order["audit_log"]["transitions"][number];

const statuses = [
  "draft",
  "submitted",
  "pending_approval",
  "approved",
  "in_progress",
  "syncing",
  "booked",
  "completed",
  "rejected",
  "failed",
  "cancelled",
  "unbooked",
] as const;

const word = (status: string): string => wordOf(statusWords, status);

const columns: readonly WorkColumn<Order>[] = [
  { ...buyerColumn, narrow: "lead" },
  productColumn,
  {
    key: "flight",
    name: "Flight",
    width: "128px",
    cell: ({ deal_summary: deal }) => (deal === undefined ? "none" : shortDays(deal.flight_start, deal.flight_end)),
    text: ({ deal_summary: deal }) => `${deal?.flight_start ?? ""} ${deal?.flight_end ?? ""}`,
  },
  valueColumn,
  {
    key: "status",
    name: "Order",
    narrow: "second",
    width: "150px",
    cell: (order) => <StandingMark text={word(order.status)} tone={toneOf(order.status)} />,
    text: (order) => order.status,
  },
  {
    key: "deal",
    name: "Its deal",
    width: "170px",
    cell: ({ deal_summary: deal }) =>
      deal === undefined ? "none" : <StandingMark text={dealStanding(deal)} tone={toneOf(deal.status)} />,
    text: ({ deal_id: id }) => id ?? "",
  },
  { key: "how", name: "How it stands", isExtra: true, cell: (order) => spoken(order.status_text, 160) },
  {
    key: "made",
    name: "Made",
    width: "110px",
    cell: (order) => ago(order.created_at, nowMs.value),
    text: (order) => order.created_at,
  },
  {
    key: "id",
    name: "Id",
    width: "110px",
    cell: (order) => <CopyId id={order.order_id} />,
    text: (order) => order.order_id,
  },
];

type OrderPageOf = OutputOf<typeof seller.listOrders>;

const OrderList = () => {
  const { query } = useAddress();
  const status = oneOf(statuses, query["status"]);
  const read = useRead(seller.listOrders, { status, cursor: query["cursor"], limit: 50 }, ["order."]);
  const report = useRead(seller.getOrderReport, {}, ["order."], false);
  const counts = report.output?.status_counts ?? {};
  const all = Object.values(counts).reduce((sum, one) => sum + one, 0);
  return (
    <WorkPage
      title="Orders"
      table="orders"
      caption="Orders"
      read={read}
      rowsOf={(page) => page.orders}
      total={() => (status === null ? all : counts[status])}
      columns={columns}
      idOf={(order) => order.order_id}
      link={(order) => screenOf("orders", order.order_id)}
      tabs={{
        name: "status",
        label: "Status",
        tabs: [
          { value: "", label: "All", count: all },
          ...statuses
            .filter((one) => (counts[one] ?? 0) > 0 || one === status)
            .map((value) => ({ value, label: word(value), count: counts[value] ?? 0 })),
        ],
      }}
      empty={<Empty title="No order.">A buyer makes one for its deal; it appears here.</Empty>}
      tools={
        <DownloadAll
          name="orders.csv"
          columns={columns}
          page={(cursor) => call(seller.listOrders, { status, cursor, limit: 500 })}
          rowsOf={(page: OrderPageOf) => page.orders}
        />
      }
    />
  );
};

const verbs: Readonly<Record<string, string>> = {
  submitted: "Submit",
  pending_approval: "Ask for approval",
  approved: "Approve",
  rejected: "Reject",
  in_progress: "Start",
  booked: "Book",
  unbooked: "Unbook",
  completed: "Complete",
  cancelled: "Cancel the order",
};

const verbOf = (to: string): string =>
  (Object.hasOwn(verbs, to) ? verbs[to] : undefined) ?? `Mark as ${word(to).toLowerCase()}`;

/** The deal that moves with the order: whose it is, and how much money. */
const DealMove = ({ order, move }: { readonly order: Order; readonly move: DealMoved }) => {
  const { deal_summary: deal } = order;
  if (move == null) return order.deal_id == null ? null : <p>Its deal stays as it is.</p>;
  const subject =
    deal === undefined
      ? `Deal ${plain(move.deal_id)}`
      : `${dealBuyer(order)}: ${dealProduct(order)}, ${flight(deal.flight_start, deal.flight_end)}, ${money(
          deal.value,
          deal.currency,
        )}`;
  const now = deal === undefined ? word(move.from_status) : dealStanding(deal);
  if (move.to_status === "rejected") {
    return (
      <p class="notice warn" role="alert">
        <b>Its deal is cancelled with it.</b> {subject}. The deal is now: {now}. It ends for good and gives its
        impressions back.
      </p>
    );
  }
  return (
    <p class="notice warn" role="alert">
      <b>Its deal moves with it:</b> {subject}, from {now.toLowerCase()} to {word(move.to_status).toLowerCase()}.
    </p>
  );
};

const ending: readonly string[] = ["cancelled", "failed", "rejected", "unbooked"];

const Moves = ({ order, again }: { readonly order: Order; readonly again: () => void }) => {
  const machine = useRead(seller.describeMachine, { kind: "order" }, [], false);
  const [reason, setReason] = useState("");
  const label = session.value?.label ?? null;
  const note = {
    ...(label === null ? {} : { actor: `human:${label}` }),
    ...(reason.trim() === "" ? {} : { reason: reason.trim() }),
  };
  const moves = machine.output?.moves.filter(({ from }) => from === order.status) ?? [];
  const targets = [...new Set(moves.map(({ to }) => to))];
  const next = (from: string): string => {
    const ways = (machine.output?.moves ?? []).filter((move) => move.from === from).map(({ to }) => to);
    if (ways.includes(order.status)) return "It can be taken back.";
    if (ways.length === 0) return "This cannot be taken back.";
    const names = ways.map((to) => word(to).toLowerCase()).join(", ");
    return `It does not come back from there; it can then become ${names}.`;
  };
  return (
    <p class="row">
      {targets.map((to) => (
        <Act
          key={to}
          op={seller.transitionOrder}
          input={{ order_id: order.order_id, to_status: to, ...note }}
          label={verbOf(to)}
          {...(ending.includes(to) ? { tone: "danger" as const } : {})}
          question={`The order goes from ${word(order.status).toLowerCase()} to ${word(to).toLowerCase()}. ${next(to)}`}
          shows={(checked) => <DealMove order={order} move={checked.deal_move} />}
          revisionOf={() => order.revision}
          again={again}
          after={again}
        >
          {ending.includes(to) ? (
            <Field
              label="Reason, the buyer may read it (optional)"
              value={reason}
              onInput={setReason}
              maxLength={500}
            />
          ) : null}
        </Act>
      ))}
    </p>
  );
};

/** How orders and approvals write who called: apikey:KEY:TIER. */
const keyIn = /^apikey:([^:]+)/;

/** `human:` and `agent:` are for programs. A caller that names no actor is `system` too: its key is behind it. */
const actorOf = ({ actor, principal }: Transition): string => {
  if (actor !== "system") return plain(actor.replace(/^(human|agent):/, ""));
  const key = typeof principal === "string" ? keyIn.exec(principal)?.[1] : undefined;
  return key === undefined ? "by a change or a deadline" : plain(key);
};

const History = ({ rows }: { readonly rows: readonly Transition[] }) => (
  <Table<Transition>
    caption="Moves"
    rows={rows.toReversed()}
    idOf={(row) => row.transition_id}
    columns={[
      { name: "When", isLead: true, cell: (row) => moment(row.timestamp) },
      { name: "Move", cell: (row) => `${word(row.from_status)} to ${word(row.to_status).toLowerCase()}` },
      { name: "Who", cell: actorOf },
      { name: "Why", cell: (row) => plain(row.reason, 300) },
    ]}
  />
);

const OrderChanges = ({ id }: { readonly id: string }) => {
  const read = useRead(seller.listChangeRequests, { order_id: id, limit: 50 }, ["change_request."]);
  return (
    <Shown read={read} lines={2}>
      {({ change_requests: rows }) =>
        rows.length === 0 ? (
          <p class="muted">No change is asked for.</p>
        ) : (
          <ul class="lines">
            {rows.map((row) => (
              <li key={row.change_request_id}>
                <a href={screenOf("changes", row.change_request_id)}>
                  {wordOf({ impressions: "Volume" }, row.change_type)}
                </a>
                <span class="muted small">{word(row.status)}</span>
              </li>
            ))}
          </ul>
        )
      }
    </Shown>
  );
};

const dealRows = (order: Order): readonly Fact[] => {
  const { deal_summary: deal } = order;
  if (deal === undefined) return [];
  return [
    { name: "Buyer", value: dealBuyer(order) },
    { name: "Flight", value: flight(deal.flight_start, deal.flight_end) },
    { name: "Volume", value: `${count(deal.impressions)} impressions` },
    { name: "Value", value: money(deal.value, deal.currency) },
    { name: "Its deal is", value: dealStanding(deal) },
  ];
};

/** An active deal delivers whatever its order says. */
const noteOf = (order: Order): string => {
  const text = spoken(order.status_text, 300);
  const isEarly = order.deal_summary?.status === "active" && order.status !== "booked" && order.status !== "completed";
  return isEarly ? `${text} Its deal is active already and does not wait for the order.` : text;
};

const OrderPage = ({ id }: { readonly id: string }) => {
  const read = useRead(seller.getOrder, { order_id: id }, ["order."]);
  const order = read.output;
  return (
    <Page
      title={order?.deal_summary === undefined ? `Order ${plain(id)}` : `Order for ${dealProduct(order)}`}
      back={{ href: screenOf("orders"), label: "All orders" }}
      chips={order === null ? undefined : <Chip tone={toneOf(order.status)}>{word(order.status)}</Chip>}
      note={order === null ? undefined : noteOf(order)}
    >
      <Shown read={read}>
        {(shown) => (
          <>
            <Moves order={shown} again={read.again} />
            <div class="columns">
              <Card title="State">
                <MachineStates kind="order" state={shown.status} />
              </Card>
              <Card title="What it is for">
                <Facts
                  rows={[
                    ...dealRows(shown),
                    { name: "Order", value: shown.order_id, isCode: true },
                    { name: "Made", value: moment(shown.created_at) },
                    shown.quote_id == null ? null : { name: "Quote", value: shown.quote_id, isCode: true },
                  ]}
                />
                {shown.deal_id == null ? null : <a href={screenOf("deals", shown.deal_id)}>Its deal</a>}
              </Card>
              <Card title="Changes">
                <OrderChanges id={id} />
              </Card>
            </div>
            <Card title="Moves" note={plural(shown.audit_log.transitions.length, "move")}>
              {shown.audit_log.transitions.length === 0 ? null : <History rows={shown.audit_log.transitions} />}
            </Card>
          </>
        )}
      </Shown>
    </Page>
  );
};

export const OrdersScreen = ({ id }: ScreenProps) => (id === null ? <OrderList /> : <OrderPage key={id} id={id} />);
