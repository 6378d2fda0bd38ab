import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { covers } from "../../requirements.ts";
import { readTestConfig } from "../harness/cases.ts";
import { call, type Sent } from "../harness/client.ts";
import { LETTERS, startTestEdge, type TestEdge } from "../harness/edge.ts";
import { startUpstream, type Upstream } from "../harness/upstream.ts";

/** Above every default limit of the partner routes, within its minute. */
const OFTEN = 70;

describe.each(LETTERS)("routes without a limiter on %s", (letter) => {
  let upstream: Upstream;
  let edge: TestEdge;
  beforeAll(async () => {
    upstream = await startUpstream();
    edge = await startTestEdge(letter, { config: readTestConfig("auction", upstream) });
  });
  afterAll(async () => {
    await edge.close();
    await upstream.close();
  });

  test.each<[Sent, number]>([
    [{ path: "/.well-known/parley-edge.json" }, 200],
    [{ path: "/first-party/sign?url=https://cdn.example/a" }, 200],
    [{ path: "/_ts/page-bids", headers: { "sec-fetch-site": "same-origin" } }, 200],
    [{ path: "/auction", method: "POST", body: '{"adUnits":[]}' }, 200],
    [{ path: "/_ts/admin/eids" }, 401],
    [{ path: "/page.bin" }, 200],
  ])("%j is answered the same however often it is asked", async (sent, status) => {
    covers("edge.conventions.no-rate-limit");
    const answers = await Promise.all(Array.from({ length: OFTEN }, async () => (await call(edge.url, sent)).status));
    expect(new Set(answers)).toEqual(new Set([status]));
  });
});
