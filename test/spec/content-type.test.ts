import { afterAll, beforeAll, expect, test } from "vitest";
import { type OpenDoors, openDoors } from "../doors/doors.ts";
import { covers } from "../requirements.ts";
import { openWorld, type World } from "../skills/world.ts";

let world: World;
let doors: OpenDoors;
beforeAll(async () => {
  world = await openWorld();
  doors = await openDoors(world.runner, world.nowMs);
});
afterAll(async () => {
  await doors.close();
  await world.close();
});

const types = [
  "text/plain",
  "application/octet-stream",
  "application/vnd.ucp.embedding+json; v=1",
  "application/x-www-form-urlencoded",
];

test.each(types)("booking: a body sent as %s is read as JSON", async (type) => {
  covers("seller.plan.media-type.any");
  const quote = await world.send({
    caller: "agency",
    operation: "request_quote",
    input: { product_id: "prod-15ba2543", deal_type: "PD", impressions: 100_000 },
  });
  const answer = await fetch(new URL("/api/v1/deals", doors.url), {
    method: "POST",
    headers: { "content-type": type, "x-api-key": world.secretOf("agency") ?? "" },
    body: JSON.stringify({ quote_id: quote.body["quote_id"] }),
  });
  expect(answer.status).toBe(200);
  expect(await answer.json()).toMatchObject({ status: "proposed", quote_id: quote.body["quote_id"] });
});
