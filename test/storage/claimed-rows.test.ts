import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ClaimedRows, type ClaimedRow } from "../../storage/lowdb/claimed-rows.ts";
import { hashOf, newSeed } from "../../storage/lowdb/hash-index.ts";

const seed = newSeed();

const step = fc.record({
  isPut: fc.boolean(),
  kind: fc.constantFrom("deal", "quote"),
  id: fc.constantFrom("a", "b", "c", ""),
});

describe("claimed rows", () => {
  it("are what was put last and not forgotten since, as in a map by kind and id", () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const rows = new ClaimedRows();
        const model = new Map<string, ClaimedRow>();
        const put: ClaimedRow[] = [];
        for (const { isPut, kind, id } of steps) {
          const name = JSON.stringify([kind, id]);
          if (isPut) {
            const place = rows.find({ kind, id }, hashOf(id, seed))?.place ?? -1;
            const row: ClaimedRow = { kind, id, n: 0, version: 0, hash: hashOf(id, seed), place };
            rows.put(row);
            put.push(row);
            model.set(name, row);
          } else {
            // The oldest that is under way is durable first; one that was claimed again stays.
            const oldest = put.shift();
            if (oldest === undefined) continue;
            rows.forget(oldest);
            const of = JSON.stringify([oldest.kind, oldest.id]);
            if (model.get(of) === oldest) model.delete(of);
          }
          for (const of of ["deal", "quote"]) {
            for (const one of ["a", "b", "c", ""]) {
              expect(rows.find({ kind: of, id: one }, hashOf(one, seed))).toBe(
                model.get(JSON.stringify([of, one])) ?? null,
              );
            }
          }
        }
      }),
      { numRuns: 200 },
    );
  });
});
