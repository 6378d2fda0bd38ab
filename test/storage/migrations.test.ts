import { expect, it } from "vitest";
import { digestText } from "../../storage/audit.ts";
import { migrations } from "../../storage/postgres/migrations/list.ts";

/** Stored in every database: what is edited here stops all programs that start on one. */
it("migrations that were ever on main are never edited", () => {
  expect(migrations.slice(0, 3).map(({ version, name, sql }) => [version, name, digestText(sql)])).toEqual([
    [1, "tables", "f511dc2d6c89a629c9729f7564b446bc1a12008afad254fe85458e2f4206e953"],
    [2, "functions", "29a5fc55c3c3ce4df5da16501ca0befde89447de9113f298821b61a5d1c7bf18"],
    [3, "sums", "3b4bc91bff6731bf218918cf55a540c20f6fd5ba5f06cf7dd2b5945a4e7e6e57"],
  ]);
});
