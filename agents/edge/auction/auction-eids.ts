import type { EdgeContext } from "../context.ts";
import { eidsCookie, parseEidsCookie, readEids } from "../identity/eids.ts";
import type { Eid } from "../identity/eids.ts";
import { isTombstone, uidOf } from "../identity/entry.ts";
import { readEntry } from "../identity/identity-writes.ts";
import { activeId } from "../identity/session.ts";
import type { EcSession } from "../identity/session.ts";
import { toBase64 } from "../signing/encoding.ts";

const longestHeader = 4_096;

const storedEids = async (id: string, context: EdgeContext): Promise<Eid[]> => {
  const partners = context.config.ec.partners.filter((partner) => partner.bidstream_enabled);
  if (context.identity === null || partners.length === 0) return [];
  let found;
  try {
    found = await readEntry(context.identity, id);
  } catch {
    return [];
  }
  if (found === null || isTombstone(found.entry)) return [];
  const { entry } = found;
  return partners
    .toSorted((a, b) => (a.source_domain < b.source_domain ? -1 : 1))
    .flatMap(({ source_domain: source, openrtb_atype: atype }) => {
      const uid = uidOf(entry, source);
      return uid === null ? [] : [{ source, uids: [{ id: uid, atype }] }];
    });
};

const clientEids = (sent: unknown, context: EdgeContext): Eid[] => {
  if (sent !== undefined && sent !== null) return readEids(sent);
  const cookie = parseEidsCookie(context.cookies.get(eidsCookie) ?? "");
  return cookie.ok ? cookie.eids : [];
};

const mergeEids = (lists: readonly (readonly Eid[])[]): Eid[] => {
  const sources = new Map<string, Map<string, Eid["uids"][number]>>();
  for (const { source, uids } of lists.flat()) {
    const known = sources.get(source) ?? new Map<string, Eid["uids"][number]>();
    sources.set(source, known);
    for (const uid of uids) known.set(uid.id, { ...uid, ...known.get(uid.id) });
  }
  const named = [...sources].filter(([, uids]) => uids.size > 0);
  return named.map(([source, uids]) => ({ source, uids: [...uids.values()] }));
};

/** The identifiers that may go out: none without an active edge identifier or against consent. */
export const gatherEids = async (sent: unknown, session: EcSession, context: EdgeContext): Promise<Eid[]> => {
  const id = activeId(session);
  if (id === null || !session.consent.areEidsAllowed) return [];
  return mergeEids([await storedEids(id, context), clientEids(sent, context)]);
};

/** `x-ts-eids`, cut from the end until it fits; `isCut` says so. `null` when there is nothing to send. */
export const eidsHeader = (eids: readonly Eid[]): { text: string; isCut: boolean } | null => {
  for (let count = eids.length; count > 0; count -= 1) {
    const text = toBase64(new TextEncoder().encode(JSON.stringify(eids.slice(0, count))));
    if (text.length <= longestHeader) return { text, isCut: count < eids.length };
  }
  return null;
};
