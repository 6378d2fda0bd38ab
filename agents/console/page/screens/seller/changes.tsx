import { useState } from "preact/hooks";
import { call, type OutputOf } from "../../agent/api.ts";
import { oneOf, screenOf, useAddress } from "../../address.ts";
import { count, day, flight, money, plain, spoken } from "../../form.ts";
import * as seller from "../../agent/seller.generated.ts";
import { Act } from "../../parts/act.tsx";
import { Card, Chip, type Fact, Facts, TheyWrote } from "../../parts/bits.tsx";
import { Field } from "../../parts/field.tsx";
import { MachineStates } from "../../parts/machine.tsx";
import { Page } from "../../parts/page.tsx";
import { Empty, Shown } from "../../parts/states.tsx";
import { Table } from "../../parts/table.tsx";
import { useRead } from "../../agent/read.ts";
import { session } from "../../agent/session.ts";
import { dealStanding, severityTone, statusWords, toneOf, wordOf } from "../../words.ts";
import type { WorkColumn } from "../../grid/column.ts";
import { buyerColumn, dealBuyer, productColumn, dealProduct, valueColumn } from "../../grid/deal-columns.tsx";
import { WorkPage } from "../../grid/page.tsx";
import { DownloadAll } from "../../grid/tools.tsx";
import type { ScreenProps } from "../screen.ts";

type Change = OutputOf<typeof seller.getChangeRequest>;

const statuses = ["pending_approval", "approved", "applied", "rejected", "withdrawn", "failed"] as const;

const word = (status: string): string => wordOf(statusWords, status);

const isDay = /^\d{4}-\d\d-\d\d$/;

const valueText = (value: unknown): string =>
  typeof value === "string" && isDay.test(value)
    ? day(value)
    : value === null || value === undefined
      ? "none"
      : typeof value === "number"
        ? count(value)
        : plain(typeof value === "string" ? value : JSON.stringify(value), 200);

interface Diff {
  readonly field: string;
  readonly old_value?: unknown;
  readonly new_value?: unknown;
}

const changesIn = ({ change_type: type, diffs, proposed_values: proposed, deal_summary: deal }: Change) => {
  const now: Readonly<Record<string, unknown>> = deal ?? {};
  const asked = Object.entries(proposed).map(([field, new_value]) => ({ field, old_value: now[field], new_value }));
  const named: readonly Diff[] = diffs.length > 0 ? diffs : asked;
  const ended = { field: "order_and_deal", old_value: "stand", new_value: "cancelled" };
  return type === "cancellation" ? [ended, ...named] : named;
};

const fieldWords: Readonly<Record<string, string>> = {
  impressions: "Volume",
  flight_start: "First day",
  flight_end: "Last day",
  final_cpm: "Price",
  order_and_deal: "Order and deal",
};

const fieldOf = (field: string): string => wordOf(fieldWords, plain(field));

/** What from and to, in one line. */
const inShort = (change: Change): string =>
  change.change_type === "cancellation"
    ? "Cancellation"
    : changesIn(change)
        .map(
          ({ field, old_value: old, new_value: fresh }) => `${fieldOf(field)} ${valueText(old)} → ${valueText(fresh)}`,
        )
        .join(", ") || wordOf({}, change.change_type);

/** The wire's word for a caller without a key is system. What the request said stands behind it. */
const askerOf = (change: Change): string => {
  const isBuyer = change.requested_by === "system" || change.requested_by === change.deal_summary?.buyer;
  const asker = isBuyer ? dealBuyer(change) : plain(change.requested_by);
  return change.on_behalf_of == null ? asker : `${asker}, for “${plain(change.on_behalf_of)}”`;
};

/** What is decided about, in the sheet of the decision. */
const subjectOf = (change: Change): string => {
  const { deal_summary: deal } = change;
  if (deal === undefined) return `Order ${plain(change.order_id)}, which has no deal.`;
  const when = flight(deal.flight_start, deal.flight_end);
  return `${dealBuyer(change)}: ${dealProduct(change)}, ${when}, ${money(deal.value, deal.currency)}.`;
};

/** Approved by a person, and not written yet; a minor change is written with its approval. */
const isToApply = (change: Change): boolean => change.status === "approved" && change["applied_at"] == null;

const standing = (change: Change) =>
  isToApply(change) ? (
    <Chip tone="warn">Approved, to apply</Chip>
  ) : (
    <Chip tone={toneOf(change.status)}>{word(change.status)}</Chip>
  );

const columns: readonly WorkColumn<Change>[] = [
  {
    key: "change",
    name: "Change",
    narrow: "lead",
    width: "300px",
    cell: (change) => <span class="clip">{inShort(change)}</span>,
    text: inShort,
  },
  productColumn,
  buyerColumn,
  valueColumn,
  {
    key: "severity",
    name: "Severity",
    width: "90px",
    cell: (change) => <Chip tone={severityTone(change.severity)}>{change.severity}</Chip>,
    text: (change) => change.severity,
  },
  { key: "status", name: "Status", narrow: "second", width: "160px", cell: standing, text: (change) => change.status },
  {
    key: "why",
    name: "Why",
    cell: (change) => <span class="own-words clip">{plain(change.reason, 160)}</span>,
    text: (change) => change.reason,
  },
  { key: "by", name: "By", isExtra: true, cell: askerOf, text: askerOf },
];

type ChangePageOf = OutputOf<typeof seller.listChangeRequests>;

const ChangeList = () => {
  const { query } = useAddress();
  const status = oneOf(statuses, query["status"]);
  const read = useRead(seller.listChangeRequests, { status, cursor: query["cursor"], limit: 50 }, ["change_request."]);
  return (
    <WorkPage
      title="Changes"
      table="changes"
      caption="Change requests"
      read={read}
      rowsOf={(page) => page.change_requests}
      total={(page) => page.total}
      columns={columns}
      idOf={(change) => change.change_request_id}
      link={(change) => screenOf("changes", change.change_request_id)}
      tabs={{
        name: "status",
        label: "Status",
        tabs: [{ value: "", label: "All" }, ...statuses.map((value) => ({ value, label: word(value) }))],
      }}
      empty={<Empty title="No change is asked for.">What a buyer wants changed or cancelled appears here.</Empty>}
      tools={
        <DownloadAll
          name="changes.csv"
          columns={columns}
          page={(cursor) => call(seller.listChangeRequests, { status, cursor, limit: 500 })}
          rowsOf={(page: ChangePageOf) => page.change_requests}
        />
      }
    />
  );
};

const whatOf = ({ change_type: type }: Change): string =>
  type === "cancellation" ? "Cancellation" : `Change of ${wordOf({}, type)}`;

const noteOf = (change: Change): string | undefined => {
  if (isToApply(change)) return "Approved. One step is left: Apply writes it to the order and its deal.";
  // What the price becomes is a figure below.
  const [standing = ""] = (change.status_text ?? "").split(" Before:");
  return standing === "" ? undefined : spoken(standing, 300);
};

const Review = ({ change, again }: { readonly change: Change; readonly again: () => void }) => {
  const [reason, setReason] = useState("");
  const given = reason.trim() === "" ? {} : { reason: reason.trim() };
  const field = (
    <Field label="Reason, the buyer may read it (optional)" value={reason} onInput={setReason} maxLength={500} />
  );
  if (isToApply(change)) {
    return (
      <Act
        look="primary"
        op={seller.applyChangeRequest}
        input={{ cr_id: change.change_request_id }}
        label="Apply"
        verb="Yes, apply"
        question={`${subjectOf(change)} ${
          change.change_type === "cancellation"
            ? "The order and its deal are cancelled for good, and the impressions are free again."
            : "The deal takes the new values. Inventory and price are checked again."
        }`}
        revisionOf={() => change.revision}
        again={again}
        after={again}
      />
    );
  }
  if (change.status !== "pending_approval") return null;
  if (change.severity === "critical" && session.value?.role !== "senior") {
    return <p class="notice">A critical change needs a senior key.</p>;
  }
  const input = { cr_id: change.change_request_id, ...given };
  return (
    <>
      <Act
        op={seller.reviewChangeRequest}
        input={{ ...input, decision: "approve" }}
        label="Approve"
        question={`${subjectOf(change)} ${whatOf(change)}. Nothing changes until you click Apply, the next step.`}
        revisionOf={() => change.revision}
        again={again}
        after={again}
      >
        {field}
      </Act>
      <Act
        op={seller.reviewChangeRequest}
        input={{ ...input, decision: "reject" }}
        label="Reject"
        tone="danger"
        question={`${subjectOf(change)} It stays as it is.`}
        revisionOf={() => change.revision}
        again={again}
        after={again}
      >
        {field}
      </Act>
    </>
  );
};

const dealRows = (change: Change): readonly Fact[] => {
  const { deal_summary: deal } = change;
  if (deal === undefined) return [];
  return [
    { name: "Product", value: dealProduct(change) },
    { name: "Buyer", value: dealBuyer(change) },
    { name: "Flight", value: flight(deal.flight_start, deal.flight_end) },
    { name: "Volume", value: `${count(deal.impressions)} impressions` },
    { name: "Value", value: money(deal.value, deal.currency) },
    { name: "Deal", value: dealStanding(deal) },
  ];
};

const ChangePage = ({ id }: { readonly id: string }) => {
  const read = useRead(seller.getChangeRequest, { cr_id: id }, ["change_request."]);
  const change = read.output;
  return (
    <Page
      title={change === null ? "Change" : whatOf(change)}
      back={{ href: screenOf("changes"), label: "All changes" }}
      chips={
        change === null ? undefined : (
          <>
            {standing(change)}
            <Chip tone={severityTone(change.severity)}>{change.severity}</Chip>
          </>
        )
      }
      note={change === null ? undefined : noteOf(change)}
    >
      <Shown read={read}>
        {(shown) => (
          <>
            <p class="row">
              <Review change={shown} again={read.again} />
            </p>
            <Card title="Before and after">
              <Table
                caption="What changes"
                rows={changesIn(shown)}
                idOf={({ field }) => field}
                columns={[
                  { name: "Field", isLead: true, cell: ({ field }) => fieldOf(field) },
                  { name: "Before", cell: ({ old_value: old }) => valueText(old) },
                  { name: "After", cell: ({ new_value: fresh }) => <b>{valueText(fresh)}</b> },
                ]}
              />
              {shown.reason === "" ? null : <TheyWrote text={shown.reason} />}
            </Card>
            <div class="columns">
              <Card title="What it is about">
                <Facts
                  rows={[
                    ...dealRows(shown),
                    { name: "Asked by", value: askerOf(shown) },
                    { name: "Change", value: shown.change_request_id, isCode: true },
                  ]}
                />
                <p class="row">
                  {shown.deal_summary === undefined ? null : (
                    <a href={screenOf("deals", shown.deal_summary.deal_id)}>Its deal</a>
                  )}
                  <a href={screenOf("orders", shown.order_id)}>Its order</a>
                </p>
              </Card>
              <Card title="State">
                <MachineStates kind="change_request" state={shown.status} />
              </Card>
            </div>
          </>
        )}
      </Shown>
    </Page>
  );
};

export const ChangesScreen = ({ id }: ScreenProps) => (id === null ? <ChangeList /> : <ChangePage key={id} id={id} />);
