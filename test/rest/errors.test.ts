import { afterAll, beforeAll, expect, test } from "vitest";
import { fieldRefusal } from "../../protocol/neutral/validation.ts";
import { covers } from "../requirements.ts";
import { type Sample, sampleOperations, serveSample } from "./sample.ts";

let wrapped: Sample;
let plain: Sample;
beforeAll(async () => {
  wrapped = await serveSample();
  plain = await serveSample({ errorShape: "plain", name: "buyer" });
});
afterAll(async () => {
  await wrapped.close();
  await plain.close();
});

const purge = (sample: Sample, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(`${sample.url}/api/v1/notes?older_than_days=3`, { method: "DELETE", headers });
const badNote = (sample: Sample, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(`${sample.url}/api/v1/notes`, {
    method: "POST",
    body: '{"text":7}',
    headers: { "content-type": "application/json", ...headers },
  });

test("errors: 401 carries WWW-Authenticate and the wrapped shape", async () => {
  const answer = await purge(wrapped);
  expect(answer.status).toBe(401);
  expect(answer.headers.get("www-authenticate")).toBe("Bearer");
  const said = "Authentication required. Send an API key.";
  expect(await answer.json()).toEqual({
    detail: { error: "authentication_required", message: said },
    error: "authentication_required",
    message: said,
    help: "/guide/refusals/authentication_required",
  });
});

test("errors: an unknown and a revoked key are 401, a buyer's key is 403, an operator's passes", async () => {
  expect((await purge(wrapped, { "x-api-key": "nonsense" })).status).toBe(401);
  expect((await purge(wrapped, { "x-api-key": "sample-revoked-key" })).status).toBe(401);
  expect((await purge(wrapped, { authorization: "bearer sample-buyer-key" })).status).toBe(403);
  const answer = await purge(wrapped, { "X-API-KEY": "sample-operator-key" });
  expect(await answer.json()).toEqual({ older_than_days: 3 });
});

test("errors: the buyer's shape is error and detail", async () => {
  expect(await (await purge(plain)).json()).toEqual({
    error: "authentication_required",
    detail: "Authentication required. Send an API key.",
    help: "/guide/refusals/authentication_required",
  });
  const refused = await badNote(plain);
  expect(refused.status).toBe(422);
  expect(await refused.json()).toEqual({
    error: "validation_error",
    detail: [{ type: "invalid_type", loc: ["body", "text"], msg: expect.any(String) }],
    help: "/guide/refusals/validation_error",
  });
});

test("errors: a missing member is said to be missing", async () => {
  const headers = { "content-type": "application/json" };
  const answer = await fetch(`${wrapped.url}/api/v1/notes`, { method: "POST", body: "{}", headers });
  expect(answer.status).toBe(422);
  expect(await answer.json()).toEqual({
    detail: [{ type: "missing", loc: ["body", "text"], msg: "This field is required." }],
    help: "/guide/refusals/validation_error",
    error: "validation_error",
    message: "The request does not have the required form.",
  });
});

test("errors: a schema refusal keeps the list under detail", async () => {
  const answer = await badNote(wrapped);
  expect(answer.status).toBe(422);
  expect(await answer.json()).toEqual({
    detail: [{ type: "invalid_type", loc: ["body", "text"], msg: expect.any(String) }],
    help: "/guide/refusals/validation_error",
    error: "validation_error",
    message: "The request does not have the required form.",
  });
});

test("errors: what a handler says of a member names the place that the wire read it from", async () => {
  const report = sampleOperations().find(({ contract }) => contract.name === "report_notes");
  const judged = { ...report!, handle: async () => fieldRefusal("phrase", "Say something else.") };
  const sample = await serveSample({ operations: [judged] });
  const answer = await fetch(`${sample.url}/api/v1/notes/report?phrase=no`);
  expect(answer.status).toBe(422);
  expect(await answer.json()).toMatchObject({ detail: [{ loc: ["query", "phrase"], msg: "Say something else." }] });
  await sample.close();
});

test("errors: problem details on Accept", async () => {
  const answer = await badNote(wrapped, { accept: "application/problem+json, */*", "request-id": "req-7" });
  expect(answer.status).toBe(422);
  expect(answer.headers.get("content-type")).toBe("application/problem+json");
  expect(await answer.json()).toEqual({
    type: "urn:parley:error:validation_error",
    title: "The request does not have the required form.",
    status: 422,
    detail: "The request does not have the required form.",
    instance: "urn:parley:request:req-7",
    error: "validation_error",
    help: "/guide/refusals/validation_error",
    errors: [{ type: "invalid_type", loc: ["body", "text"], msg: expect.any(String) }],
  });
});

test("errors: a bug is a bare 500 with the request id, and its text stays in the log", async () => {
  const answer = await fetch(`${wrapped.url}/api/v1/bug`, { headers: { "request-id": "req-8" } });
  expect(answer.status).toBe(500);
  const text = await answer.text();
  expect(text).not.toContain("secret");
  expect(JSON.parse(text)).toMatchObject({ error: "internal_error", request_id: "req-8" });
  const bug = wrapped.logged.find((line) => line.message === "bug");
  expect(bug?.fields).toMatchObject({ request_id: "req-8", operation: "break_note", message: "the secret inside" });
});

test("errors: a bug of the buyer is internal_error with a detail that tells nothing", async () => {
  covers("buyer.errors.internal");
  const answer = await fetch(`${plain.url}/api/v1/bug`);
  expect(answer.status).toBe(500);
  const text = await answer.text();
  expect(text).not.toContain("secret");
  expect(JSON.parse(text)).toMatchObject({ error: "internal_error", detail: expect.stringMatching(/\S/) as string });
});

test("errors: 401 and 429 come before the body is judged", async () => {
  const limited = await serveSample({ perMinute: 2 });
  const broken = { method: "POST", body: "{broken", headers: { "content-type": "text/plain" } };
  expect(
    (await fetch(`${limited.url}/api/v1/notes`, { ...broken, headers: { ...broken.headers, "x-api-key": "no" } }))
      .status,
  ).toBe(401);
  expect((await fetch(`${limited.url}/api/v1/notes`, broken)).status).toBe(415);
  const answer = await fetch(`${limited.url}/api/v1/notes`, broken);
  expect(answer.status).toBe(429);
  expect(answer.headers.get("retry-after")).toBe("17");
  expect(answer.headers.get("ratelimit")).toBe('"default";r=0;t=17');
  expect(answer.headers.get("ratelimit-policy")).toBe('"default";q=2;w=60');
  await limited.close();
});
