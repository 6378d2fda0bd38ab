import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { buyerSettingTable } from "../../../agents/buyer/config.ts";
import { launchBuyer } from "../../../agents/buyer/launch.ts";
import { readSettings } from "../../../protocol/neutral/settings.ts";

const silent = { info: () => undefined, warn: () => undefined, error: () => undefined };

test("buyer: keys cannot be tried without end", async () => {
  const dir = await mkdtemp(join(tmpdir(), "parley-buyer-rate-"));
  const config = readSettings(buyerSettingTable, { RATE_LIMIT_ANONYMOUS_PER_MINUTE: "2" });
  const place = { driver: "lowdb", dir } as const;
  const buyer = await launchBuyer({ config, host: "127.0.0.1", port: 0, place, log: silent });
  const statuses: number[] = [];
  for (const key of ["one", "two", "three"]) {
    const answer = await fetch(new URL("/bookings", buyer.url), { headers: { "x-api-key": `abk_live_${key}` } });
    await answer.text();
    statuses.push(answer.status);
  }
  expect(statuses).toEqual([401, 401, 429]);
  await buyer.close();
  await rm(dir, { recursive: true, force: true });
});
