import { useEffect, useState } from "preact/hooks";
import { call, type Failure, type OutputOf } from "../../agent/api.ts";
import { count, moment, plain, plural } from "../../form.ts";
import { saveFile } from "../../parts/download.tsx";
import { Problem } from "../../parts/states.tsx";
import type { AuditLine, Trail } from "./words.ts";

type Verified = OutputOf<Trail["verify"]>;

/** What the entry's hash covers, in the order in which the store writes it (docs/decisions: the audit trail). */
const hashedText = (entry: AuditLine): string => {
  const { chain, seq, at, request_id, operation, door, actor, changed, digest, previous_hash: prev } = entry;
  const facts = changed.length === 0 ? {} : { changed };
  return JSON.stringify({ chain, seq, at, request_id, operation, door, principal: actor, ...facts, digest, prev });
};

const hexOf = (bytes: ArrayBuffer): string =>
  [...new Uint8Array(bytes)].map((byte) => byte.toString(16).padStart(2, "0")).join("");

const isErased = (entry: AuditLine): boolean => entry.erased === true;

/** Null: its words were erased since, or this browser computes no hash for a page over plain http. */
const isItsHash = async (entry: AuditLine): Promise<boolean | null> => {
  if (!isSecureContext || isErased(entry)) return null;
  const bytes = new TextEncoder().encode(entry.previous_hash + hashedText(entry));
  return hexOf(await crypto.subtle.digest("SHA-256", bytes)) === entry.hash;
};

const save = (entry: AuditLine, verified: Verified): void => {
  const proof = {
    entry,
    hashed: hashedText(entry),
    how_to_check:
      "SHA-256 of entry.previous_hash followed by the text of `hashed` is entry.hash. The entry after it names " +
      "that hash as its previous_hash, and so on to the end of its chain, which `verification.heads` names. Kept " +
      "elsewhere, the hash of an end shows later that nothing was cut: parley audit verify --expect HASH.",
    verification: verified,
  };
  saveFile(`audit-${entry.chain}-${entry.seq}.json`, "application/json", [JSON.stringify(proof, null, 2)]);
};

const Verdict = ({ entry, verified }: { readonly entry: AuditLine; readonly verified: Verified }) => {
  const [isOwn, setOwn] = useState<boolean | null>(null);
  useEffect(() => void isItsHash(entry).then(setOwn), [entry.hash]);
  const { whole, records, first_broken: broken, checked_at: at } = verified;
  const head = verified.heads.find(({ chain }) => chain === entry.chain);
  if (!whole || isOwn === false) {
    return (
      <p class="notice warn" role="alert">
        {isOwn === false ? "The hash of this entry does not fit what it says. " : ""}
        {broken === null ? "" : `The trail is broken at entry ${count(broken.seq)}: ${plain(broken.reason, 200)}. `}
        Stop the agent, keep a copy of its store, and compare it with a hash that was kept elsewhere.
      </p>
    );
  }
  return (
    <div class="notice ok" role="status">
      <p>
        The trail is whole: {records === null ? "every entry" : plural(records, "entry", "entries")} checked at{" "}
        {moment(at)}. This is entry {count(entry.seq)} of {count(head?.records)}
        {isOwn === true ? ", and its hash fits what it says" : ""}.
        {isErased(entry)
          ? " Words of a buyer that is forgotten were taken out of it; a later entry names what it became."
          : ""}
      </p>
      {head === undefined ? null : (
        <p class="small">
          End of the chain <code>{plain(head.hash, 64)}</code>
        </p>
      )}
    </div>
  );
};

/** Walks the whole chain, then offers the entry with what anybody needs to check it again. */
export const Prove = ({ entry, verify }: { readonly entry: AuditLine; readonly verify: Trail["verify"] }) => {
  const [verified, setVerified] = useState<Verified | null>(null);
  const [failure, setFailure] = useState<Failure | null>(null);
  const [isChecking, setChecking] = useState(false);
  const check = async (): Promise<void> => {
    setChecking(true);
    const reply = await call(verify, {});
    setChecking(false);
    setFailure(reply.ok ? null : reply);
    if (reply.ok) setVerified(reply.output);
  };
  return (
    <>
      {failure === null ? null : <Problem failure={failure} />}
      {verified === null ? null : <Verdict entry={entry} verified={verified} />}
      <p class="row">
        <button type="button" class="button primary" disabled={isChecking} onClick={() => void check()}>
          {isChecking ? "Checking every entry" : verified === null ? "Prove it" : "Check again"}
        </button>
        {verified === null ? null : (
          <button type="button" class="button" onClick={() => save(entry, verified)}>
            Save the entry as a file
          </button>
        )}
      </p>
    </>
  );
};
