import { setTimeout as wait } from "node:timers/promises";
import type { AuditRecord } from "../../store.ts";
import { segmentLinks, segmentLinksBack, type Archive } from "./archive.ts";
import type { Document } from "../rows/index.ts";
import { storeError, systemCodeOf } from "../errors.ts";
import type { Journal } from "./journal.ts";

/** Milliseconds between two looks at what is being moved, and how often a look may find nothing new. */
const lookMs = 20;
const mostIdleLooks = 100;

/**
 * Archive, then journal, up to the last record that was durable when the reading began. A snapshot may move a segment
 * into the archive meanwhile; then the reading goes on there.
 */
export async function* readTrail(document: Document, archive: Archive, journal: Journal): AsyncGenerator<AuditRecord> {
  const until = document.mark.audit.seq;
  const from = { bytes: 0 };
  let last = 0;
  let idleLooks = 0;
  for (let moved = true; moved;) {
    moved = false;
    const known = last;
    // Listed before the archive is read: a segment that moves there in between is missed below, not overlooked.
    const segments = journal.segments();
    for await (const record of archive.read(from)) {
      if (record.seq <= known) continue;
      last = record.seq;
      yield record;
    }
    for (const segment of segments) {
      try {
        for await (const record of segmentLinks(segment.path)) {
          if (record.seq <= last) continue;
          if (record.seq > until) return;
          last = record.seq;
          yield record;
        }
      } catch (thrown) {
        if (systemCodeOf(thrown) !== "ENOENT") throw thrown;
        moved = true;
        idleLooks = last === known ? idleLooks + 1 : 0;
        if (idleLooks > mostIdleLooks) {
          throw storeError("store_damaged", `${segment.path} is missing. Restore the folder from a backup.`);
        }
        await wait(lookMs);
        break;
      }
    }
  }
}

/** A segment that is missing was moved into the archive, with all before it. */
export async function* readTrailBack(
  document: Document,
  archive: Archive,
  journal: Journal,
  before: number,
): AsyncGenerator<AuditRecord> {
  let below = Math.min(before, document.mark.audit.seq + 1);
  try {
    for (const { path } of [...journal.segments()].reverse()) {
      for await (const record of segmentLinksBack(path, below)) {
        below = record.seq;
        yield record;
      }
    }
  } catch (thrown) {
    if (systemCodeOf(thrown) !== "ENOENT") throw thrown;
  }
  yield* archive.readBack(below);
}
