import { useState } from "preact/hooks";
import { useAddress } from "../../address.ts";
import { plain } from "../../form.ts";
import { seller } from "../../operations.ts";
import { Act } from "../../parts/act.tsx";
import { Copyable } from "../../parts/copy.tsx";
import { Field, Select } from "../../parts/field.tsx";
import { Page, Pager } from "../../parts/page.tsx";
import { Shown } from "../../parts/states.tsx";
import { useRead } from "../../read.ts";
import { session } from "../../session.ts";
import type { Screen } from "../screen.ts";
import { KeyTable } from "./key-table.tsx";

const roles = ["viewer", "operator", "senior"] as const;

const NewKey = ({ again }: { readonly again: () => void }) => {
  const [label, setLabel] = useState("");
  const [role, setRole] = useState<(typeof roles)[number]>("operator");
  const [secret, setSecret] = useState<string | null>(null);
  const allowed = session.value?.role === "senior" ? roles : roles.filter((one) => one !== "senior");
  return (
    <div>
      <Act
        op={seller.createOperatorKey}
        input={{ label: label.trim(), role }}
        label="Make a key"
        question="For a colleague: a viewer looks only, an operator decides, a senior decides critical changes too."
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
      {secret === null ? null : (
        <div class="notice ok" role="status">
          <Copyable name="The new key, shown this once" text={plain(secret, 200)} />
          <button type="button" class="button small" onClick={() => setSecret(null)}>
            I have it
          </button>
        </div>
      )}
    </div>
  );
};

const KeysScreen = () => {
  const { query } = useAddress();
  const { cursor } = query;
  const read = useRead(seller.listApiKeys, { limit: 100, ...(cursor === undefined ? {} : { cursor }) }, ["api_key."]);
  return (
    <Page title="Keys" note="Every key of buyers and operators. A secret is stored as a hash and never shown again.">
      <NewKey again={read.again} />
      <Shown read={read}>
        {({ keys: rows, next_cursor: next }) => (
          <>
            <KeyTable rows={rows} again={read.again} />
            <Pager next={next} />
          </>
        )}
      </Shown>
    </Page>
  );
};

export const keys: Screen = { path: "keys", label: "Keys", key: "y", component: KeysScreen };
