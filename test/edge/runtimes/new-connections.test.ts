import http from "node:http";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readTestConfig } from "../harness/cases.ts";
import { startTestEdge, type TestEdge } from "../harness/edge.ts";
import { startUpstream, type Upstream } from "../harness/upstream.ts";

const KEPT = 40;
const NEW = 40;

let upstream: Upstream;
let edge: TestEdge;
beforeAll(async () => {
  upstream = await startUpstream();
  edge = await startTestEdge("A", { config: readTestConfig("base", upstream) });
});
afterAll(async () => {
  await edge.close();
  await upstream.close();
});

const ask = (agent: http.Agent | false): Promise<unknown> =>
  new Promise((resolve, reject) => {
    http.get(`${edge.url}/health`, { agent }, (answer) => answer.resume().once("end", resolve)).once("error", reject);
  });

test("new connections do not wait for every kept one each", async () => {
  const agent = new http.Agent({ keepAlive: true, maxSockets: KEPT });
  let isOver = false;
  let served = 0;
  const load = Array.from({ length: KEPT }, async () => {
    while (!isOver) {
      await ask(agent);
      served += 1;
    }
  });
  await expect.poll(() => served).toBeGreaterThan(KEPT * 5);
  const before = served;
  await Promise.all(Array.from({ length: NEW }, () => ask(false)));
  const meanwhile = served - before;
  isOver = true;
  await Promise.all(load);
  agent.destroy();
  // One connection a turn, each turn with an answer for every kept one, would be NEW * KEPT of them.
  expect(meanwhile).toBeLessThan((NEW * KEPT) / 3);
});
