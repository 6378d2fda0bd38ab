import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { answerJson, type Loopback, startLoopback } from "../client/loopback.ts";
import { type Started, startSeller } from "../spec/launched.ts";
import { buildProduct, parleyWith, type Said } from "./program.ts";

const root = mkdtempSync(join(tmpdir(), "parley-talk-"));

let seller: Started;
let key: string;
beforeAll(async () => {
  buildProduct();
  seller = await startSeller();
  key = String((await seller.host("create_api_key", { label: "talker", agency_id: "ag-1" }))["api_key"]);
});
afterAll(async () => {
  await seller.close();
  rmSync(root, { recursive: true, force: true });
});

const quote = "Quote for CTV Premium Streaming, PG, 100,000 impressions, 1 to 31 March 2027";

const talk = (args: readonly string[], lines: readonly string[], more: Readonly<Record<string, string>> = {}) =>
  parleyWith(["talk", ...args], lines.map((line) => `${line}\n`).join(""), more);

interface Option {
  readonly option: string;
  readonly n: number;
  readonly digest: string;
}

interface Reply {
  readonly context_id: string;
  readonly text: string;
  readonly answers: readonly { readonly outcome: string; readonly options: readonly Option[] }[];
}

const repliesIn = ({ out }: Said): readonly Reply[] =>
  out
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Reply);

describe.each([
  ["the agent at an address", () => [seller.url]],
  ["the agent of this machine", () => ["--agent", "seller", "--data", join(root, "own")]],
])("parley talk with %s", (_name, where) => {
  test("a quote shows its option, a number takes it, and the next question is of the same talk", async () => {
    const said = await talk(where(), [quote, "1", "status"]);
    expect([said.code, said.err]).toEqual([0, ""]);
    expect(said.out).toMatch(/Shall I book it\?\n1\. Book quote qt-\w+: CTV Premium Streaming, .* \(or: yes\)\n/);
    const [, deal = ""] = /\nBooked: deal ID (\S+),/.exec(said.out) ?? [];
    expect(said.out.split(deal)).toHaveLength(3);
    expect(said.out).not.toContain(" > ");
  });

  test("a yes takes what the reply asks", async () => {
    expect((await talk(where(), [quote, "yes, please"])).out).toContain("\nBooked: ");
  });

  test("--json answers each line with one line, and takes data parts", async () => {
    const [first] = repliesIn(await talk([...where(), "--json"], [quote]));
    expect(first?.answers).toMatchObject([{ outcome: "quoted", options: [{ n: 1, operation: "book_deal" }] }]);
    const wrong = { option: first?.answers[0]?.options[0]?.option, digest: "sha256:0" };
    const said = await talk([...where(), "--json"], [quote, JSON.stringify(wrong), "1"]);
    const [shown, refused, ...others] = repliesIn(said);
    expect(refused?.answers[0]?.outcome).not.toBe("booked");
    expect(refused?.context_id).toBe(shown?.context_id);
    expect(others.map(({ context_id: id }) => id)).toEqual([shown?.context_id]);
  });
});

describe("parley talk", () => {
  test.each([
    ["--key", (): [string[], Record<string, string>] => [["--key", key], {}]],
    ["PARLEY_KEY", (): [string[], Record<string, string>] => [[], { PARLEY_KEY: key }]],
  ])("%s is who talks: an agency pays less than a stranger", async (_name, given) => {
    const [flags, environment] = given();
    const said = await talk([seller.url, ...flags], ["Price of CTV Premium Streaming"], environment);
    expect(said.out).toContain("$31.50");
    expect((await talk([seller.url], ["Price of CTV Premium Streaming"])).out).toContain("$35.00");
  });

  test("a key that is refused ends it with 1, and the key is not repeated", async () => {
    const said = await talk([seller.url, "--key", "ask_live_wrong"], ["Price of CTV", "Price of CTV"]);
    expect([said.code, said.out]).toEqual([1, ""]);
    expect(said.err).toMatch(/^parley: \w+: .+\n$/);
    expect(said.err).not.toContain("ask_live_wrong");
  });

  test.each<[string, readonly string[], string, number, RegExp]>([
    ["no address", ["localhost"], "hi", 2, /Write it as http:\/\/127\.0\.0\.1:8000/],
    ["an address and a folder", ["http://127.0.0.1:1", "--data", "x"], "hi", 2, /--data is for the agent of this/],
    ["another agent", ["--agent", "edge"], "hi", 2, /neither seller nor buyer/],
    ["no data part", ["--json", "--data", join(root, "own")], "{oops", 2, /is not valid JSON/],
  ])("%s is said, with its exit code", async (_name, args, line, code, message) => {
    const said = await talk(args, [line]);
    expect([said.code, said.err]).toEqual([code, expect.stringMatching(message)]);
  });
});

test("parley talk says where nobody listens, and ends with 3", async () => {
  const gone = await startLoopback(() => undefined);
  await gone.close();
  const said = await talk([gone.url], ["hi"]);
  expect([said.code, said.err]).toEqual([3, expect.stringMatching(/^parley: connect_error: /)]);
});

describe("parley talk with a seller of other people", () => {
  const option = { option: "o-1", n: 1, label: "Book\u001b[2J it", digest: "sha256:1" };

  /** Answers every message with the text and the option. */
  const openStranger = async (text: string): Promise<Loopback> => {
    const server: Loopback = await startLoopback((request, response) => {
      if (request.path.endsWith("agent-card.json")) {
        const supportedInterfaces = [{ url: `${server.url}/rpc`, protocolBinding: "JSONRPC", protocolVersion: "1.0" }];
        const modes = { defaultInputModes: ["text/plain"], defaultOutputModes: ["text/plain"] };
        const card = { name: "S", description: "S", version: "1", capabilities: {}, skills: [], ...modes };
        return answerJson(response, 200, { ...card, supportedInterfaces });
      }
      const { id } = JSON.parse(request.body) as { readonly id: number };
      const parts = [{ text }, { data: { options: [option, { n: 2 }, "x"], armed: null } }];
      const message = { messageId: "m", contextId: "ctx-1", role: "ROLE_AGENT", parts };
      return answerJson(response, 200, { jsonrpc: "2.0", id, result: { message } });
    });
    return server;
  };

  const sentTo = ({ seen }: Loopback): readonly unknown[] =>
    seen
      .filter(({ body }) => body !== "")
      .map(({ body }) => (JSON.parse(body) as { params: { message: unknown } }).params.message);

  test("its text cannot move the cursor; a number sends id and digest in its context", async () => {
    const stranger = await openStranger("Hello\u001b[1A");
    const said = await talk([stranger.url], ["hi", "1"]);
    await stranger.close();
    expect(said.out).toContain("Hello?[1A\n1. Book?[2J it\n");
    expect(said.out).not.toContain("\u001b");
    expect(sentTo(stranger)).toMatchObject([
      { parts: [{ text: "hi" }] },
      { contextId: "ctx-1", parts: [{ data: { option: "o-1", digest: "sha256:1" } }] },
    ]);
  });

  test("a table in its text is aligned", async () => {
    const stranger = await openStranger(
      "Lines:\n| product | CPM |\n| --- | --- |\n| Native | 9.18 USD |\n| CTV |  |\nEnd.",
    );
    const said = await talk([stranger.url], ["hi"]);
    await stranger.close();
    expect(said.out).toContain("Lines:\nproduct       CPM\nNative   9.18 USD\nCTV\nEnd.\n");
  });

  test("a number that its text gives to another line is said, not taken", async () => {
    const stranger = await openStranger("Which line?\n1. Native\n2. Display");
    const said = await talk([stranger.url], ["hi", "1"]);
    await stranger.close();
    expect(said.out).toContain("\n- Book?[2J it\n");
    expect(sentTo(stranger)).toMatchObject([{}, { contextId: "ctx-1", parts: [{ text: "1" }] }]);
  });
});
