import { afterAll, beforeAll, expect, test } from "vitest";
import { type Sample, serveSample } from "./sample.ts";

let sample: Sample;
beforeAll(async () => {
  sample = await serveSample();
});
afterAll(() => sample.close());

const json = { "content-type": "application/json" };
const post = (path: string, body: unknown, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(`${sample.url}${path}`, { method: "POST", body: JSON.stringify(body), headers: { ...json, ...headers } });

test("rest: a body becomes the input, and the contract's status and revision the answer's", async () => {
  const answer = await post("/api/v1/notes", { text: "hello" });
  expect(answer.status).toBe(201);
  expect(answer.headers.get("content-type")).toBe("application/json; charset=utf-8");
  expect(answer.headers.get("etag")).toBe('"1"');
  expect(await answer.json()).toEqual({ note_id: "note-1", text: "hello", stars: 0 });
  const read = await fetch(`${sample.url}/api/v1/notes/note-1`);
  expect(read.status).toBe(200);
  expect(await read.json()).toEqual({ note_id: "note-1", text: "hello", stars: 0 });
});
