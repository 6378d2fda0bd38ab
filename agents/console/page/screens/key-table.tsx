import { useState } from "preact/hooks";
import type { Operation } from "../agent/api.ts";
import { nowMs } from "../clock.ts";
import { ago, count, day, plain } from "../form.ts";
import { Act } from "../parts/act.tsx";
import { Chip } from "../parts/bits.tsx";
import { Field } from "../parts/field.tsx";
import { Table } from "../parts/table.tsx";

export interface KeyRow {
  readonly key_id: string;
  readonly key_prefix_hint: string;
  readonly label: string | null;
  readonly role: string;
  readonly is_active: boolean;
  readonly revoked: boolean;
  readonly last_used_at: string | null;
  readonly use_count: number;
  readonly expires_at: string | null;
}

export type RevokeKey = Operation<{ key_id: string }, unknown>;

interface KeyProps {
  readonly revoke: RevokeKey;
  readonly again: () => void;
}

const nameOf = (key: KeyRow): string => plain(key.label ?? key.key_id);

/** Revoking is for good, so the label is typed first. */
const Revoke = ({ row, revoke, again }: KeyProps & { readonly row: KeyRow }) => {
  const [typed, setTyped] = useState("");
  const wanted = row.label ?? row.key_id;
  const isTyped = typed === wanted;
  return (
    <Act
      op={revoke}
      input={isTyped ? { key_id: row.key_id } : null}
      missing={`Type ${nameOf(row)} into the field.`}
      label="Revoke"
      tone="danger"
      question={`The next call with ${nameOf(row)} is refused. This is for good. Type its label to confirm.`}
      after={again}
    >
      <Field label={`Label: ${nameOf(row)}`} value={typed} onInput={setTyped} maxLength={255} />
    </Act>
  );
};

const stateOf = (key: KeyRow) => {
  if (key.is_active) return <Chip tone="ok">works</Chip>;
  return <Chip tone={key.revoked ? "bad" : "quiet"}>{key.revoked ? "revoked" : "expired"}</Chip>;
};

export const KeyTable = ({ rows, ...props }: KeyProps & { readonly rows: readonly KeyRow[] }) => (
  <Table<KeyRow>
    caption="Keys"
    rows={rows}
    idOf={(key) => key.key_id}
    columns={[
      { name: "Key", isLead: true, cell: nameOf },
      {
        name: "Begins with",
        cell: (key) => <code class="whole">{plain(key.key_prefix_hint).replace(/\.+$/, "…")}</code>,
      },
      { name: "Role", cell: (key) => key.role },
      { name: "State", cell: stateOf },
      { name: "Last used", cell: (key) => (key.last_used_at === null ? "never" : ago(key.last_used_at, nowMs.value)) },
      { name: "Uses", isNumber: true, cell: (key) => count(key.use_count) },
      { name: "Ends", cell: (key) => (key.expires_at === null ? "never" : day(key.expires_at)) },
      { name: "Change", isAct: true, cell: (key) => (key.is_active ? <Revoke row={key} {...props} /> : "") },
    ]}
  />
);
