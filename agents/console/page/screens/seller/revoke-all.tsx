import { useEffect, useState } from "preact/hooks";
import { call, type Failure, type OutputOf } from "../../agent/api.ts";
import * as seller from "../../agent/seller.generated.ts";
import { plain, plural } from "../../form.ts";
import { EachSheet } from "../../parts/each-sheet.tsx";
import { Modal } from "../../parts/modal.tsx";
import { SheetButton } from "../../parts/sheet-button.tsx";
import { Problem, Skeleton } from "../../parts/states.tsx";

type Buyer = OutputOf<typeof seller.getBuyer>;
type Key = OutputOf<typeof seller.listApiKeys>["keys"][number];

const none = "None of its keys works any more.";

interface WorkingKeys {
  readonly rows: readonly Key[] | null;
  readonly failure: Failure | null;
}

/** All pages, since a key that is left out goes on working. */
const useWorkingKeys = (owner: string): WorkingKeys => {
  const [found, setFound] = useState<WorkingKeys>({ rows: null, failure: null });
  useEffect(() => {
    const gone = new AbortController();
    const read = async (): Promise<void> => {
      const rows: Key[] = [];
      for (let cursor: string | undefined; ;) {
        const input = { buyer: owner, limit: 500, ...(cursor === undefined ? {} : { cursor }) };
        const reply = await call(seller.listApiKeys, input, { signal: gone.signal });
        if (gone.signal.aborted) return;
        if (!reply.ok) return setFound({ rows: null, failure: reply });
        rows.push(...reply.output.keys.filter((key) => key.is_active));
        if (reply.output.next_cursor == null) return setFound({ rows, failure: null });
        cursor = reply.output.next_cursor;
      }
    };
    void read();
    return () => gone.abort();
  }, [owner]);
  return found;
};

const Sheet = ({ owner, close }: { readonly owner: string; readonly close: () => void }) => {
  const { rows, failure } = useWorkingKeys(owner);
  if (rows === null || rows.length === 0) {
    return (
      <Modal title="Revoke its keys" close={close}>
        {failure === null ? rows === null ? <Skeleton /> : <p>{none}</p> : <Problem failure={failure} />}
      </Modal>
    );
  }
  return (
    <EachSheet
      title={`Revoke ${plural(rows.length, "key")}?`}
      question="The next call with any of these keys is refused, for good. Deals that are booked stay."
      rows={rows}
      idOf={(key) => key.key_id}
      lineOf={(key) => (
        <span>
          {plain(key.label ?? key.key_id)} <code>{plain(key.key_prefix_hint)}</code>
        </span>
      )}
      doneWord="revoked"
      verb={`Yes, revoke ${rows.length}`}
      tone="danger"
      send={(key, nonce) =>
        call(seller.revokeApiKey, { key_id: key.key_id }, { idempotencyKey: `console-revoke-${key.key_id}-${nonce}` })
      }
      close={close}
    />
  );
};

/** Shuts out whoever holds these keys, whatever agent uses them. */
export const RevokeAll = ({ buyer, after }: { readonly buyer: Buyer; readonly after: () => void }) => {
  const { api_keys: newest, keys: issued, owner } = buyer;
  const working = newest.filter((key) => key.is_active).length;
  return (
    <SheetButton
      instead={working === 0 && newest.length === issued ? <p class="muted">{none}</p> : null}
      label={issued === 1 ? "Revoke its key" : "Revoke all its keys"}
      after={after}
      sheet={(close) => <Sheet owner={owner} close={close} />}
    />
  );
};
