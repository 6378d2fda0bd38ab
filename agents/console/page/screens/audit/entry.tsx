import { screenOf } from "../../address.ts";
import { moment, plain } from "../../form.ts";
import { Facts } from "../../parts/bits.tsx";
import { Table } from "../../parts/table.tsx";
import { Prove } from "./prove.tsx";
import { type AuditLine, type Trail, didText, doorText, factText, fieldText, screenOfKind, whoText } from "./words.ts";

type Changed = AuditLine["changed"][number];

const Record_ = ({ one }: { readonly one: Changed }) => {
  const screen = screenOfKind(one.kind);
  const id = plain(one.id, 40);
  return screen === null ? <code>{id}</code> : <a href={screenOf(screen, one.id)}>{id}</a>;
};

/** One entry whole: who did what, each field before and after, and its place in the chain. */
export const EntryView = ({ entry, verify }: { readonly entry: AuditLine; readonly verify: Trail["verify"] }) => (
  <div class="stack">
    <Facts
      rows={[
        { name: "When", value: `${moment(entry.at)} UTC` },
        { name: "Who", value: whoText(entry) },
        { name: "Credential", value: entry.actor, isCode: true },
        { name: "Did", value: didText(entry) },
        { name: "Operation", value: entry.operation, isCode: true },
        { name: "Came by", value: doorText(entry) },
        { name: "Request", value: entry.request_id, isCode: true },
        { name: "Number", value: `${entry.seq} of chain ${plain(entry.chain)}` },
        { name: "Hash", value: entry.hash, isCode: true },
        { name: "Entry before", value: entry.previous_hash, isCode: true },
      ]}
    />
    {entry.changed.length === 0 ? (
      <p class="muted">It changed no field of a record that was there before.</p>
    ) : (
      <Table<Changed>
        caption="What it changed"
        rows={entry.changed}
        idOf={(one) => `${one.kind} ${one.id} ${one.field}`}
        columns={[
          { name: "Record", isLead: true, cell: (one) => <Record_ one={one} /> },
          { name: "Field", cell: fieldText },
          { name: "Before", cell: ({ from }) => <s>{factText(from)}</s> },
          { name: "After", cell: ({ to }) => <b>{factText(to)}</b> },
        ]}
      />
    )}
    <Prove entry={entry} verify={verify} />
  </div>
);
