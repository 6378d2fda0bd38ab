import { useState } from "preact/hooks";
import { screenOf, useAddress } from "../address.ts";
import type { Operation } from "../agent/api.ts";
import { Act } from "../parts/act.tsx";
import { Field, Select } from "../parts/field.tsx";
import { Page, Pager } from "../parts/page.tsx";
import { Secret } from "../parts/secret.tsx";
import { Shown } from "../parts/states.tsx";
import { useRead } from "../agent/read.ts";
import { session } from "../agent/session.ts";
import { type KeyRow, KeyTable, type RevokeKey } from "./key-table.tsx";

/** What each role of a person may do. */
export const rolesOfPeople = "A viewer looks only, an operator decides, a senior decides critical changes too.";

interface KeyOperations<Role extends string> {
  readonly list: Operation<
    { limit?: number | undefined; cursor?: string | null | undefined },
    { readonly keys: readonly KeyRow[]; readonly next_cursor?: string | null }
  >;
  readonly create: Operation<
    { label?: string | undefined; role?: Role | undefined },
    { readonly api_key: string | null }
  >;
  readonly revoke: RevokeKey;
  /** The first may do least: a new key starts with it. */
  readonly roles: readonly [Role, ...Role[]];
  /** What the roles may do. */
  readonly question: string;
  readonly note: string;
  /** Where keys are made that are not made here. */
  readonly forOthers?: { readonly path: string; readonly label: string; readonly what: string };
}

type NewKeyProps<Role extends string> = Pick<KeyOperations<Role>, "create" | "roles" | "question"> & {
  readonly again: () => void;
};

const NewKey = <Role extends string>({ create, roles, question, again }: NewKeyProps<Role>) => {
  const [label, setLabel] = useState("");
  const [role, setRole] = useState<Role>(roles[0]);
  const [secret, setSecret] = useState<string | null>(null);
  const allowed = session.value?.role === "senior" ? roles : roles.filter((one) => one !== "senior");
  return (
    <div>
      <Act
        op={create}
        input={{ label: label.trim(), role }}
        label="Make a key"
        question={question}
        after={(made) => {
          setSecret(made.api_key);
          setLabel("");
          again();
        }}
      >
        <Field
          label="Label, the name under which it decides"
          value={label}
          onInput={setLabel}
          maxLength={255}
          autoFocus
        />
        <Select label="Role" value={role} values={allowed} onChange={setRole} />
      </Act>
      {secret === null ? null : <Secret name="The new key" text={secret} done={() => setSecret(null)} />}
    </div>
  );
};

export const KeysPage = <Role extends string>({ list, revoke, note, forOthers, ...made }: KeyOperations<Role>) => {
  const { query } = useAddress();
  const { cursor } = query;
  const read = useRead(list, { limit: 100, cursor }, ["api_key."]);
  return (
    <Page title="Keys" note={note}>
      <NewKey {...made} again={read.again} />
      {forOthers === undefined ? null : (
        <p class="muted">
          {forOthers.what} <a href={screenOf(forOthers.path)}>{forOthers.label}</a>.
        </p>
      )}
      <Shown read={read}>
        {({ keys: rows, next_cursor: next }) => (
          <>
            <KeyTable rows={rows} revoke={revoke} again={read.again} />
            <Pager next={next ?? null} />
          </>
        )}
      </Shown>
    </Page>
  );
};
