import { describe, expect, it } from "vitest";
import { type AuditHead, digestText, EMPTY_HEAD, linkAudit, verifyAuditTrail } from "../../storage/audit.ts";
import type { AuditEntry, AuditRecord } from "../../storage/store.ts";
import { auditEntry } from "./contract/kit.ts";

const linkOf = (chain: string, prev: AuditHead, entry: AuditEntry, changes: string): AuditRecord =>
  JSON.parse(linkAudit(chain, prev, entry, digestText(changes)).text) as AuditRecord;

const chainOf = (chain: string, length: number): AuditRecord[] => {
  const links: AuditRecord[] = [];
  for (let seq = 1; seq <= length; seq += 1) {
    links.push(linkOf(chain, links.at(-1) ?? EMPTY_HEAD, auditEntry(`r${seq}`), `[${seq}]`));
  }
  return links;
};

const headsOf = (links: readonly AuditRecord[]) =>
  links.slice(-1).map(({ chain, seq, hash }) => ({ chain, seq, hash }));

describe("audit chain", () => {
  it("a link is its entry, chained by SHA-256 to the one before", () => {
    const [first, second] = chainOf("c", 2);
    expect(first).toEqual({
      chain: "c",
      seq: 1,
      at: "2026-11-21T10:00:00.000Z",
      request_id: "r1",
      operation: "book_deal",
      door: "rest",
      principal: "key:abc",
      digest: "080a9ed428559ef602668b4c00f114f1a11c3f6b02a435f0bdc154578e4d7f22",
      prev: "0000000000000000000000000000000000000000000000000000000000000000",
      hash: "6f9c5c7dbe0e2f71adc97e3847c65a6b17d6f3e7a456cb79fd57fd1a7c4ce848",
    });
    expect(second?.prev).toBe(first?.hash);
    expect(second?.hash).toMatch(/^[0-9a-f]{64}$/);
  });

  it("a link's text is its record as JSON, whatever its strings hold", async () => {
    const strings = [
      "",
      'a "quoted" \\ one',
      "\u0000\b\t\n\f\r\u001f",
      "\u007f\u0080\u009f",
      "\u2028\u2029",
      "é中",
      "😀",
      "\ud800",
      "\udc00x",
      '","hash":"',
    ];
    for (const text of strings) {
      const entry = { at: text, request_id: text, operation: text, door: text, principal: text };
      const link = linkAudit(text, EMPTY_HEAD, entry, digestText("[]"));
      const record = JSON.parse(link.text) as AuditRecord;
      expect(record).toMatchObject({ chain: text, seq: 1, ...entry, hash: link.head.hash });
      expect(JSON.stringify(record)).toBe(link.text);
      expect(await verifyAuditTrail([record])).toMatchObject({ ok: true, records: 1 });
    }
  });

  it("chains in any mixture verify, and an empty trail does", async () => {
    const [a, b] = [chainOf("a", 3), chainOf("b", 2)];
    const mixed = [a[0], b[0], b[1], a[1], a[2]].filter((link) => link !== undefined);
    expect(await verifyAuditTrail(mixed, [...headsOf(a), ...headsOf(b)])).toEqual({ ok: true, records: 5, chains: 2 });
    expect(await verifyAuditTrail([])).toEqual({ ok: true, records: 0, chains: 0 });
  });

  it.each(["at", "request_id", "operation", "door", "principal", "digest", "chain", "prev", "hash"] as const)(
    "a changed %s is found in its record",
    async (member) => {
      const links = chainOf("c", 4).map((link) => (link.seq === 3 ? { ...link, [member]: `${link[member]}x` } : link));
      expect(await verifyAuditTrail(links)).toMatchObject({ ok: false, seq: member === "chain" ? 1 : 3 });
    },
  );

  it("what a commit changed is part of the chain, and found when it is changed, added or taken away", async () => {
    const [first] = chainOf("c", 1);
    const field = { kind: "deal", id: "D-\ud8001", field: "final_cpm", from: "29.92", to: null };
    const changed = [field, { ...field, field: "impressions", from: 1, to: true }];
    const head = { seq: 1, hash: first?.hash ?? "" };
    const second = linkOf("c", head, { ...auditEntry("r2"), changed }, "[2]");
    expect(second.changed).toEqual(changed);
    const verdict = async (...links: (AuditRecord | undefined)[]) =>
      verifyAuditTrail(links.filter((link) => link !== undefined));
    expect(await verdict(first, second)).toMatchObject({ ok: true, records: 2 });
    const { changed: _changed, ...without } = second;
    expect(await verdict(first, without)).toMatchObject({ ok: false, seq: 2 });
    expect(await verdict(first, { ...second, changed: [{ ...field, from: "28.00" }] })).toMatchObject({ ok: false });
    expect(await verdict(first && { ...first, changed: [field] })).toMatchObject({ ok: false, seq: 1 });
  });

  it("text that moves from one member to its neighbour is found", async () => {
    const links = chainOf("c", 1).map((link) => ({ ...link, operation: "book_", door: "dealrest" }));
    expect(await verifyAuditTrail(links)).toMatchObject({ ok: false, seq: 1 });
  });

  it("records removed, repeated or swapped are found at the first that does not follow", async () => {
    const [a, b, c, d] = chainOf("c", 4) as [AuditRecord, AuditRecord, AuditRecord, AuditRecord];
    expect(await verifyAuditTrail([b, c, d])).toMatchObject({ ok: false, seq: 1 });
    expect(await verifyAuditTrail([a, c, d])).toMatchObject({ ok: false, seq: 2 });
    expect(await verifyAuditTrail([a, b, b, c])).toMatchObject({ ok: false, seq: 3 });
    expect(await verifyAuditTrail([a, c, b, d])).toMatchObject({ ok: false, seq: 2 });
  });

  it("a trail that ends before the head or was written anew is found, one that has grown since is sound", async () => {
    const links = chainOf("c", 4);
    expect(await verifyAuditTrail(links.slice(0, 2), headsOf(links))).toMatchObject({ ok: false, seq: 3 });
    expect(await verifyAuditTrail([], headsOf(links))).toMatchObject({ ok: false, chain: "c", seq: 1 });
    expect(await verifyAuditTrail(links, headsOf(links.slice(0, 2)))).toMatchObject({ ok: true });
    const anew = [{ chain: "c", seq: 2, hash: digestText("another history") }];
    expect(await verifyAuditTrail(links, anew)).toMatchObject({ ok: false, seq: 2 });
  });
});
