import { useState } from "preact/hooks";
import type { OutputOf } from "../../agent/api.ts";
import { oneOf, screenOf, useAddress } from "../../address.ts";
import { count, plain } from "../../form.ts";
import { seller } from "../../agent/operations.ts";
import { Act } from "../../parts/act.tsx";
import { Card, Chip, Facts, TheyWrote } from "../../parts/bits.tsx";
import { Field } from "../../parts/field.tsx";
import { MachineStates } from "../../parts/machine.tsx";
import { Filter, Page } from "../../parts/page.tsx";
import { Rows } from "../../parts/rows.tsx";
import { Empty, Shown } from "../../parts/states.tsx";
import { type Column, Table } from "../../parts/table.tsx";
import { useRead } from "../../agent/read.ts";
import { session } from "../../agent/session.ts";
import { severityTone, statusWords, toneOf, wordOf } from "../../words.ts";
import type { Screen, ScreenProps } from "../screen.ts";

type Change = OutputOf<typeof seller.getChangeRequest>;

const statuses = ["pending_approval", "approved", "applied", "rejected", "failed"] as const;

const word = (status: string): string => wordOf(statusWords, status);

const valueText = (value: unknown): string =>
  value === null || value === undefined
    ? "none"
    : typeof value === "number"
      ? count(value)
      : plain(typeof value === "string" ? value : JSON.stringify(value), 200);

interface Diff {
  readonly field: string;
  readonly old_value?: unknown;
  readonly new_value?: unknown;
}

/** An order without such a value has no difference to it, only what is proposed. */
const changesIn = ({ diffs, proposed_values: proposed }: Change): readonly Diff[] =>
  diffs.length > 0 ? diffs : Object.entries(proposed).map(([field, value]) => ({ field, new_value: value }));

const columns: readonly Column<Change>[] = [
  { name: "Change", isLead: true, cell: (change) => wordOf({}, change.change_type) },
  { name: "Severity", cell: (change) => <Chip tone={severityTone(change.severity)}>{change.severity}</Chip> },
  { name: "Status", cell: (change) => <Chip tone={toneOf(change.status)}>{word(change.status)}</Chip> },
  { name: "Order", cell: (change) => <code>{plain(change.order_id)}</code> },
  { name: "Why", cell: (change) => plain(change.reason, 160) },
  { name: "By", cell: (change) => plain(change.requested_by) },
];

const ChangeList = () => {
  const { query } = useAddress();
  const status = oneOf(statuses, query["status"]);
  const { cursor } = query;
  const read = useRead(seller.listChangeRequests, { status, cursor, limit: 50 }, ["change_request."]);
  return (
    <Page title="Changes" note="What buyers want changed on running orders.">
      <Filter name="status" label="Status" values={statuses} wordOf={word} />
      <Rows
        read={read}
        rowsOf={(page) => page.change_requests}
        caption="Change requests"
        columns={columns}
        idOf={(change) => change.change_request_id}
        link={(change) => screenOf("changes", change.change_request_id)}
        empty={
          <Empty title="No change is asked for.">
            A buyer asks for one with <code>create_change_request</code>.
          </Empty>
        }
      />
    </Page>
  );
};

const Review = ({ change, again }: { readonly change: Change; readonly again: () => void }) => {
  const [reason, setReason] = useState("");
  const given = reason.trim() === "" ? {} : { reason: reason.trim() };
  const field = (
    <Field label="Reason, the buyer may read it (optional)" value={reason} onInput={setReason} maxLength={500} />
  );
  if (change.status === "approved") {
    return (
      <Act
        op={seller.applyChangeRequest}
        input={{ cr_id: change.change_request_id }}
        label="Apply"
        question="The deal takes the new values. Inventory and price are checked again."
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
        question="The change may be applied to the order."
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
        question="The order stays as it is."
        revisionOf={() => change.revision}
        again={again}
        after={again}
      >
        {field}
      </Act>
    </>
  );
};

const ChangePage = ({ id }: { readonly id: string }) => {
  const read = useRead(seller.getChangeRequest, { cr_id: id }, ["change_request."]);
  const change = read.output;
  return (
    <Page
      title={change === null ? "Change" : `Change of ${wordOf({}, change.change_type)}`}
      back={{ href: screenOf("changes"), label: "All changes" }}
      chips={
        change === null ? undefined : (
          <>
            <Chip tone={toneOf(change.status)}>{word(change.status)}</Chip>
            <Chip tone={severityTone(change.severity)}>{change.severity}</Chip>
          </>
        )
      }
      note={change?.status_text == null ? undefined : plain(change.status_text, 300)}
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
                  { name: "Field", isLead: true, cell: ({ field }) => wordOf({}, plain(field)) },
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
                    { name: "Asked by", value: shown.requested_by },
                    { name: "Change", value: shown.change_request_id, isCode: true },
                  ]}
                />
                <a href={screenOf("orders", shown.order_id)}>Its order</a>
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

const ChangesScreen = ({ id }: ScreenProps) => (id === null ? <ChangeList /> : <ChangePage key={id} id={id} />);

export const changes: Screen = {
  path: "changes",
  label: "Changes",
  key: "c",
  hasRows: true,
  component: ChangesScreen,
};
