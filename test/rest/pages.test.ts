import { request } from "undici";
import { fixedPage } from "../../protocol/rest/pages/fixed-page.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Sample, serveSample } from "./sample.ts";

let seller: Sample;
let buyer: Sample;
beforeAll(async () => {
  seller = await serveSample();
  buyer = await serveSample({ name: "buyer", errorShape: "plain" });
});
afterAll(async () => {
  await seller.close();
  await buyer.close();
});

const json = async (url: string): Promise<unknown> => (await fetch(url)).json();

test("pages: health of both agents as the contracts give it", async () => {
  expect(await json(`${seller.url}/health`)).toEqual({ status: "healthy" });
  expect(await json(`${buyer.url}/health`)).toEqual({ status: "healthy", version: "1.2.3" });
  expect(await json(`${buyer.url}/healthz`)).toEqual({ status: "healthy" });
  expect(await json(`${buyer.url}/readyz`)).toEqual({ status: "ready" });
});

test("pages: a server whose store takes no commits is not ready, and says no more than that", async () => {
  const failing = await serveSample({ storeFailure: async () => new Error("disk /secret/path is full") });
  const answer = await fetch(`${failing.url}/readyz`);
  expect([answer.status, answer.headers.get("retry-after")]).toEqual([503, "1"]);
  expect(await answer.json()).toEqual({ status: "unavailable" });
  expect(await json(`${failing.url}/healthz`)).toEqual({ status: "healthy" });
  expect(await json(`${failing.url}/health`)).toEqual({ status: "degraded" });
  expect(failing.logged).toMatchObject([{ fields: { message: "disk /secret/path is full" } }]);
  await failing.close();
});

test("pages: the seller has a root, the buyer's public list has none", async () => {
  expect(await json(`${seller.url}/`)).toEqual({
    name: "Sample API",
    version: "1.2.3",
    docs: "/docs",
    guide: "/guide/",
  });
  expect((await fetch(`${buyer.url}/`)).status).toBe(404);
});

test.each(["/openapi.json", "/docs", "/docs/swagger-ui-bundle.js", "/redoc"])(
  "pages: %s has a tag and is not sent again to who has it",
  async (path) => {
    const first = await request(`${seller.url}${path}`);
    const { etag } = first.headers;
    expect(first.statusCode).toBe(200);
    await first.body.dump();
    expect(etag).toMatch(/^"[\w-]{22}"$/);
    for (const tag of [String(etag), `W/${String(etag)}`, `"other", ${String(etag)}`, "*"]) {
      const again = await request(`${seller.url}${path}`, { headers: { "if-none-match": tag } });
      expect(again.statusCode).toBe(304);
      expect(await again.body.text()).toBe("");
    }
    const changed = await request(`${seller.url}${path}`, { headers: { "if-none-match": '"other"' } });
    expect(changed.statusCode).toBe(200);
    await changed.body.dump();
  },
);

test("pages: the interactive page has no inline script and a policy that forbids one", async () => {
  const answer = await fetch(`${seller.url}/docs`);
  expect(answer.headers.get("content-security-policy")).toContain("script-src 'self';");
  const html = await answer.text();
  expect(html.match(/<script[^>]*>(?!<\/script>)/g)).toBeNull();
  expect(html).not.toMatch(/https?:\/\//);
});

test("pages: the redirect target of an OAuth login is served with its script", async () => {
  const page = await (await fetch(`${seller.url}/docs/oauth2-redirect`)).text();
  expect(page).toContain('src="oauth2-redirect.js"');
  const script = await fetch(`${seller.url}/docs/oauth2-redirect.js`);
  expect(script.headers.get("content-type")).toBe("text/javascript; charset=utf-8");
  expect(await script.text()).toContain("opener");
});

test("pages: the reading page shows every operation, escapes what it shows, and has no script", async () => {
  const answer = await fetch(`${seller.url}/redoc`);
  const html = await answer.text();
  expect(html).toContain("Notes &lt;for&gt; the tests.");
  expect(html).toContain("<code>PUT /api/v1/notes/{note_id}</code>");
  for (const name of ["create_note", "get_note", "change_note", "report_notes", "purge_notes"]) {
    expect(html).toContain(`<article id="${name}">`);
  }
  expect(html).not.toContain("<script");
  expect(answer.headers.get("content-security-policy")).toBe(
    "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
  );
});

test("pages: a page keeps its bytes and is not encoded again for each request", async () => {
  const page = fixedPage("/page", "text/plain", () => "caf\u00e9");
  const asked = { headers: {} } as Parameters<typeof page.handle>[0];
  const [first, second] = [await page.handle(asked), await page.handle(asked)];
  const bodyOf = (answer: typeof first): unknown => (answer === "taken" ? null : answer.body);
  expect(bodyOf(first)).toEqual(Buffer.from("caf\u00e9"));
  expect(bodyOf(second)).toBe(bodyOf(first));
});

test.each(["/openapi.json", "/docs", "/docs/init.js", "/redoc", "/", "/nothing", "/api/v1/notes/%zz"])(
  "pages: %s counts, and one request too many is 429; the probes go on answering",
  async (path) => {
    const limited = await serveSample({ perMinute: 2 });
    const statuses = [];
    for (let made = 0; made < 2; made += 1) statuses.push((await fetch(`${limited.url}${path}`)).status);
    expect(statuses.every((status) => [200, 404, 400].includes(status))).toBe(true);
    const refused = await fetch(`${limited.url}${path}`);
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "17"]);
    expect(await refused.json()).toMatchObject({ error: "rate_limited" });
    expect((await fetch(`${limited.url}/docs`, { method: "DELETE" })).status).toBe(429);
    for (const probe of ["/health", "/healthz", "/readyz"]) {
      expect((await fetch(`${limited.url}${probe}`)).status).toBe(200);
    }
    await limited.close();
  },
);
