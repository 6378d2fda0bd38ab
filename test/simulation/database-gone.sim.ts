import { beforeAll, it } from "vitest";
import { buildProduct } from "../cli/program.ts";
import { loseDatabase } from "../processes/outage.ts";
import { describeOnPostgres } from "../storage/postgres/database.ts";

beforeAll(buildProduct);

await describeOnPostgres("a database that goes away for 30 seconds", (url) => {
  it.each(["refuse", "silent"] as const)("(%s) is a 503 with Retry-After until it is back", async (how) => {
    const recovered = await loseDatabase(url, how, 30);
    process.stdout.write(`${how}: the first write ${Math.round(recovered)} ms after the database was back\n`);
  });
});
