import { beforeAll, it } from "vitest";
import { buildProduct } from "../cli/program.ts";
import { rollRestarts } from "../processes/rolling.ts";
import { describeOnPostgres } from "../storage/postgres/database.ts";

beforeAll(buildProduct);

const restarts = Number(process.env["ROLLING_RESTARTS"] ?? 100);

await describeOnPostgres("two sellers behind a proxy", (url) => {
  it(`${restarts} rolling restarts under load lose no accepted call`, async () => {
    const { accepted, repeated } = await rollRestarts(url, restarts, (done, count) => {
      process.stdout.write(`${done} restarts, ${count} quotes accepted\n`);
    });
    process.stdout.write(`${restarts} restarts: ${accepted} quotes accepted, 0 lost, ${repeated} calls sent again\n`);
  });
});
