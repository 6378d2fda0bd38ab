import { beforeAll, expect, it } from "vitest";
import { buildProduct } from "../cli/program.ts";
import { describeOnPostgres } from "../storage/postgres/database.ts";
import { rollRestarts } from "./rolling.ts";

beforeAll(buildProduct);

await describeOnPostgres("two sellers behind a proxy", (url) => {
  it("are restarted one after the other under load, and no accepted call is lost", async () => {
    const { accepted } = await rollRestarts(url, 2);
    expect(accepted).toBeGreaterThan(20);
  });
});
