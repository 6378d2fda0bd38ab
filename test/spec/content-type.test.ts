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

const json = "application/json; charset=utf-8";
const types = [
  ["text/plain", json],
  ["application/octet-stream", json],
  ["application/x-www-form-urlencoded", json],
  ["application/json", json],
  ["application/vnd.ucp.embedding+json; v=1", "application/vnd.ucp.embedding+json; v=1"],
  ["application/vnd.iab.agentic-audiences+json; v=1", "application/vnd.iab.agentic-audiences+json; v=1"],
  ["Application/Vnd.UCP.embedding+json;v=1", "application/vnd.ucp.embedding+json; v=1"],
  ["application/vnd.ucp.embedding+json; v=2", json],
] as const;

test.each(types)("booking: a body sent as %s is read as JSON and answered as %s", async (type, answered) => {
  covers("seller.plan.media-type.any", "seller.plan.media-type.echo");
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
  expect([answer.status, answer.headers.get("content-type")]).toEqual([200, answered]);
  expect(await answer.json()).toMatchObject({ status: "proposed", quote_id: quote.body["quote_id"] });
});
