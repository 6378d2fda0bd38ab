import { call } from "../agent/api.ts";
import { plain, plural } from "../form.ts";
import { EachSheet } from "../parts/each-sheet.tsx";
import { SheetButton } from "../parts/sheet-button.tsx";
import type { KeyRow, RevokeKey } from "./key-table.tsx";

interface RevokeAllProps {
  readonly rows: readonly KeyRow[];
  readonly revoke: RevokeKey;
  readonly after: () => void;
}

/** Shuts out whoever holds these keys, whatever agent uses them. */
export const RevokeAll = ({ rows, revoke, after }: RevokeAllProps) => {
  const live = rows.filter((key) => key.is_active);
  if (live.length === 0) return <p class="muted">None of its keys works any more.</p>;
  return (
    <SheetButton
      label={live.length === 1 ? "Revoke its key" : `Revoke all ${live.length} keys`}
      after={after}
      sheet={(close) => (
        <EachSheet
          title={`Revoke ${plural(live.length, "key")}?`}
          question="The next call with any of these keys is refused, for good. Deals that are booked stay."
          rows={live}
          idOf={(key) => key.key_id}
          lineOf={(key) => (
            <span>
              {plain(key.label ?? key.key_id)} <code>{plain(key.key_prefix_hint)}</code>
            </span>
          )}
          doneWord="revoked"
          verb={`Yes, revoke ${live.length}`}
          tone="danger"
          send={(key, nonce) =>
            call(revoke, { key_id: key.key_id }, { idempotencyKey: `console-revoke-${key.key_id}-${nonce}` })
          }
          close={close}
        />
      )}
    />
  );
};
