import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readTestConfig } from "../harness/cases.ts";
import { call } from "../harness/client.ts";
import { LETTERS, startTestEdge, type TestEdge } from "../harness/edge.ts";
import { startUpstream, type Upstream } from "../harness/upstream.ts";

/** This machine and private nets, in many spellings. */
const PRIVATE = [
  "localhost",
  "127.0.0.1",
  "127.0.0.1.",
  "127.1",
  "2130706433",
  "0x7f.1",
  "0.0.0.0",
  "10.0.0.1",
  "100.64.0.1",
  "169.254.169.254",
  "[::]",
  "[::1]",
  "[::ffff:7f00:1]",
  "[64:ff9b::7f00:1]",
  "[::7f00:1]",
  "[4000::1]",
  "[fe00::1]",
  "[fd00::1]",
];

describe.each(LETTERS)("private targets on %s, with one listed host", (letter) => {
  let listed: Upstream;
  let inner: Upstream;
  let edge: TestEdge;

  beforeAll(async () => {
    [listed, inner] = await Promise.all([startUpstream(), startUpstream()]);
    const environment = { OUTBOUND_ALLOW: listed.host };
    edge = await startTestEdge(letter, { config: readTestConfig("base", listed), environment });
  });
  afterAll(async () => {
    await edge.close();
    await Promise.all([listed.close(), inner.close()]);
  });

  const proxied = async (target: string) => {
    const signed = await call(edge.url, { path: `/first-party/sign?url=${encodeURIComponent(target)}` });
    const { href } = JSON.parse(signed.body.toString()) as { href: string };
    return call(edge.url, { path: href });
  };
  const innerAt = (host: string): string => `http://${host}:${new URL(inner.url).port}/x`;
  const redirectTo = (location: string) => ({ status: 302, headers: { location } });

  test.each(PRIVATE)("%s is refused, asked for and redirected to", async (host) => {
    listed.script({ "/away": redirectTo(innerAt(host)) });
    expect((await proxied(innerAt(host))).status).toBe(403);
    expect((await proxied(`${listed.url}/away`)).status).toBe(403);
    expect(listed.seen).toHaveLength(1);
    expect(inner.seen).toEqual([]);
  });

  test("a redirect that leads in a circle ends after four hops, and is answered as it is", async () => {
    listed.script({ "/a": redirectTo("/b"), "/b": redirectTo("/a") });
    const got = await proxied(`${listed.url}/a`);
    expect([got.status, got.headers["location"]]).toEqual([302, "/b"]);
    expect(listed.seen.map(({ path }) => path)).toEqual(["/a", "/b", "/a", "/b", "/a"]);
  });
});
