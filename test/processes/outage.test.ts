import { beforeAll, expect, it } from "vitest";
import { buildProduct } from "../cli/program.ts";
import { describeOnPostgres } from "../storage/postgres/database.ts";
import { loseDatabase } from "./outage.ts";

beforeAll(buildProduct);

await describeOnPostgres("a database that goes away", (url) => {
  it.each(["refuse", "silent"] as const)("(%s) is a 503 with Retry-After until it is back", async (how) => {
    expect(await loseDatabase(url, how, 1)).toBeLessThan(20_000);
  });
});
