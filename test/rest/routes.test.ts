import { afterAll, beforeAll, expect, test } from "vitest";
import { defineContract, defineOperation } from "../../protocol/seam/operation.ts";
import { bySpecificity } from "../../protocol/rest/routing/route-order.ts";
import { blockedAgent, noteKind, type Sample, sampleOperations, serveSample } from "./sample.ts";

let sample: Sample;
beforeAll(async () => {
  sample = await serveSample();
});
afterAll(() => sample.close());

const get = (path: string, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(`${sample.url}${path}`, { headers });
const send = (method: string, path: string, body: unknown, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(`${sample.url}${path}`, {
    method,
    body: JSON.stringify(body),
    headers: { "content-type": "application/json", ...headers },
  });
const post = (path: string, body: unknown, headers: Record<string, string> = {}): Promise<Response> =>
  send("POST", path, body, headers);
const makeNote = async (): Promise<string> =>
  ((await (await post("/api/v1/notes", { text: "hello" })).json()) as { note_id: string }).note_id;

test("rest: a body becomes the input; status and revision are the contract's and the record's", async () => {
  const answer = await post("/api/v1/notes", { text: "hello" });
  expect(answer.status).toBe(201);
  expect(answer.headers.get("content-type")).toBe("application/json; charset=utf-8");
  expect(answer.headers.get("etag")).toBe('"1"');
  const made = (await answer.json()) as { note_id: string };
  expect(made).toEqual({ note_id: made.note_id, text: "hello", stars: 0 });
  const read = await get(`/api/v1/notes/${made.note_id}`);
  expect(read.status).toBe(200);
  expect(await read.json()).toEqual({ note_id: made.note_id, text: "hello", stars: 0 });
});

test("rest: an alias reaches the same operation", async () => {
  expect((await post("/notes", { text: "by another path" })).status).toBe(201);
});

test("rest: a literal path is tried before a parameter, in whatever order they are listed", async () => {
  expect(await (await get("/api/v1/notes/report?least_stars=3")).json()).toEqual({ least_stars: 3 });
  const paths = ["/orders/:order_id", "/orders/*rest", "/orders/report", "/:any/report"];
  expect([...paths].sort(bySpecificity)).toEqual([
    "/orders/report",
    "/orders/:order_id",
    "/orders/*rest",
    "/:any/report",
  ]);
});

test("rest: query texts become the types that the schema wants", async () => {
  const query = "least_stars=3&share=-0.5e1&archived=true&tags=a&tags=b&phrase=12&unknown=x&__proto__=y";
  expect(await (await get(`/api/v1/notes/report?${query}`)).json()).toEqual({
    least_stars: 3,
    share: -5,
    archived: true,
    tags: ["a", "b"],
    phrase: "12",
  });
});

test.each([
  ["least_stars=3.5", "least_stars"],
  ["least_stars=", "least_stars"],
  ["least_stars=0x10", "least_stars"],
  ["share=NaN", "share"],
  ["share=Infinity", "share"],
  ["share=1e999", "share"],
  ["archived=yes", "archived"],
  ["least_stars=1&least_stars=2", "least_stars"],
])("rest: the query %s is refused with its place", async (query, member) => {
  const answer = await get(`/api/v1/notes/report?${query}`);
  expect(answer.status).toBe(422);
  const body = (await answer.json()) as { error: string; detail: { loc: unknown[] }[] };
  expect(body.error).toBe("validation_error");
  expect(body.detail[0]?.loc).toEqual(["query", member]);
});

test("rest: a member of the path wins over the same name in the body, and is decoded", async () => {
  const id = await makeNote();
  const answer = await send("PUT", `/api/v1/notes/${id.replace("-", "%2D")}`, {
    note_id: "other",
    text: "new",
    revision: 1,
  });
  expect(await answer.json()).toEqual({ note_id: id, text: "new", stars: 0 });
});

test("rest: a handler's refusal carries its extras twice and its own status", async () => {
  const id = await makeNote();
  const answer = await send("PUT", `/api/v1/notes/${id}`, { text: "new", revision: 9 });
  expect(answer.status).toBe(412);
  const said = "The record has another revision. Read it and try again.";
  expect(await answer.json()).toEqual({
    detail: { error: "revision_mismatch", message: said, revision: 1 },
    error: "revision_mismatch",
    message: said,
    help: "/guide/refusals/revision_mismatch",
    revision: 1,
  });
});

test("rest: a read of a record that has not moved is 304", async () => {
  const id = await makeNote();
  const { request } = await import("undici");
  const again = await request(`${sample.url}/api/v1/notes/${id}`, { headers: { "if-none-match": '"1"' } });
  expect(again.statusCode).toBe(304);
  expect(await again.body.text()).toBe("");
  const other = await request(`${sample.url}/api/v1/notes/${id}`, { headers: { "if-none-match": '"2"' } });
  expect(other.statusCode).toBe(200);
  await other.body.dump();
});

test("rest: HEAD answers as GET without a body", async () => {
  const answer = await fetch(`${sample.url}/api/v1/notes/report`, { method: "HEAD" });
  expect(answer.status).toBe(200);
  expect(answer.headers.get("content-length")).toBe("2");
  expect(await answer.text()).toBe("");
});

test("rest: a method that the path does not have is 405 with Allow, in the agent's shape", async () => {
  const answer = await fetch(`${sample.url}/api/v1/notes/n1`, { method: "POST", body: "{}" });
  expect(answer.status).toBe(405);
  expect(answer.headers.get("allow")).toBe("GET, HEAD, OPTIONS, PUT");
  expect(((await answer.json()) as { error: string }).error).toBe("method_not_allowed");
});

test("rest: a concrete path hides the one with an id beside it, whatever the method", async () => {
  const answer = await fetch(`${sample.url}/api/v1/notes/report`, { method: "PUT", body: "{}" });
  expect([answer.status, answer.headers.get("allow")]).toEqual([405, "GET, HEAD, OPTIONS"]);
  const options = await fetch(`${sample.url}/api/v1/notes/report`, { method: "OPTIONS" });
  expect(options.headers.get("allow")).toBe("GET, HEAD, OPTIONS");
});

test("rest: OPTIONS lists the methods of a path", async () => {
  const answer = await fetch(`${sample.url}/api/v1/notes`, { method: "OPTIONS" });
  expect(answer.status).toBe(204);
  expect(answer.headers.get("allow")).toBe("DELETE, OPTIONS, POST");
});

test("rest: an unknown path is 404 in the agent's shape and says where to look", async () => {
  const answer = await get("/nothing/here");
  expect(answer.status).toBe(404);
  const said = "There is nothing at this path. /openapi.json lists what there is.";
  expect(await answer.json()).toEqual({
    detail: { error: "not_found", message: said },
    error: "not_found",
    message: said,
    help: "/guide/refusals/not_found",
  });
});

test("rest: an idempotency key gives the first answer again and says so", async () => {
  const first = await post("/api/v1/notes", { text: "once" }, { "idempotency-key": "key-1" });
  const again = await post("/notes", { text: "once" }, { "idempotency-key": "key-1" });
  expect(first.headers.get("idempotency-replayed")).toBeNull();
  expect(again.headers.get("idempotency-replayed")).toBe("true");
  expect(again.status).toBe(201);
  expect(await again.json()).toEqual(await first.json());
  const other = await post("/api/v1/notes", { text: "twice" }, { "idempotency-key": "key-1" });
  expect(other.status).toBe(409);
  expect(((await other.json()) as { error: string }).error).toBe("idempotency_conflict");
});

test("rest: ?dry_run=true checks and stores nothing", async () => {
  const before = sample.store.commits.length;
  const answer = await post("/api/v1/notes?dry_run=true", { text: "only thought" });
  expect(await answer.json()).toEqual({
    note_id: null,
    text: "only thought",
    stars: 0,
    dry_run: true,
    next_step: "Nothing was done, this was a dry run: the same create_note without dry_run does it.",
  });
  expect(sample.store.commits.length).toBe(before);
});

test("rest: an agent that the query of a body names is judged as the one in the body (decision 52)", async () => {
  const before = sample.store.commits.length;
  const named = async (query: string, body: object): Promise<readonly unknown[]> => {
    const answer = await post(`/api/v1/notes?${query}`, { text: "hello", ...body });
    return [answer.status, ((await answer.json()) as { error?: string }).error];
  };
  const asked = `agent_url=${encodeURIComponent(blockedAgent)}`;
  expect(await named(asked, {})).toEqual([403, "agent_blocked"]);
  expect(await named(asked, { agent_url: null })).toEqual([403, "agent_blocked"]);
  expect(await named(asked, { agent_url: blockedAgent })).toEqual([403, "agent_blocked"]);
  expect(await named(asked, { agent_url: "https://other.example" })).toEqual([422, "validation_error"]);
  expect(await named(`${asked}&${asked}`, {})).toEqual([422, "validation_error"]);
  expect(sample.store.commits.length).toBe(before);
  expect(await named("agent_url=https://other.example", {})).toEqual([201, undefined]);
  expect(await named("agent_url=&text=other", {})).toEqual([201, undefined]);
});

test("rest: a dry_run that is neither yes nor no is refused before anything is done", async () => {
  const before = sample.store.commits.length;
  const answer = await post("/api/v1/notes?dry_run=yes", { text: "really?" });
  expect(answer.status).toBe(422);
  expect(((await answer.json()) as { detail: { loc: unknown[] }[] }).detail[0]?.loc).toEqual(["query", "dry_run"]);
  expect(sample.store.commits.length).toBe(before);
});

test("rest: text beyond ASCII arrives as it was sent, and a trailing slash changes nothing", async () => {
  const answer = await post("/api/v1/notes/", { text: "caf\u00e9 \u{1f4a9} \u65e5\u672c" });
  const made = (await answer.json()) as { note_id: string; text: string };
  expect(made.text).toBe("caf\u00e9 \u{1f4a9} \u65e5\u672c");
  expect(await (await get(`/api/v1/notes/${made.note_id}/`)).json()).toEqual(made);
});

test("rest: two routes at one place stop the start", async () => {
  const twice = defineOperation(
    defineContract({ ...sampleOperations()[0]!.contract, name: "create_note_again" }),
    async () => ({ output: {} }),
  );
  await expect(serveSample({ operations: [...sampleOperations(), twice] })).rejects.toThrow(
    "two routes are mounted at POST /api/v1/notes",
  );
});

test("rest: an operation whose REST door is closed has no route", async () => {
  const contract = { ...sampleOperations()[0]!.contract, closedDoors: { rest: "It has no meaning over REST." } };
  const closed = await serveSample({ operations: [defineOperation(contract, async () => ({ output: {} }))] });
  expect((await fetch(`${closed.url}/api/v1/notes`, { method: "POST" })).status).toBe(404);
  await closed.close();
});

test("rest: the record is the one that the operation committed", () => {
  expect(sample.store.commits[0]?.audit).toMatchObject({ operation: "create_note", door: "rest" });
  expect(sample.store.commits[0]?.changes[0]).toMatchObject({ kind: noteKind.name, id: "note-1" });
});
