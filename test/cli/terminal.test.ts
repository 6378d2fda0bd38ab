import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { contractsOf } from "../../agents/commands/agents.ts";
import { listCommands } from "../../agents/commands/terminal/subjects.ts";
import { type JsonSchema, jsonSchemaOf } from "../../protocol/seam/json-schema.ts";
import { loadSubject } from "../../agents/commands/terminal/subject-commands.ts";
import { addConsoleCommand } from "../../agents/commands/console-link.ts";
import { liveLines } from "../../agents/commands/live-lines.ts";
import { addCallCommand } from "../../agents/commands/host/host-commands.ts";
import { addKeyCommand } from "../../agents/commands/host/keys.ts";
import { addServeCommands } from "../../agents/commands/serve-agent.ts";
import { answerJson, startLoopback } from "../client/loopback.ts";
import { secretEnvironment } from "../secrecy/canaries.ts";
import { runCommand, startCommand, type Started } from "./in-process.ts";
import { buildProduct, parley as spawned, type Said } from "./program.ts";

const root = mkdtempSync(join(tmpdir(), "parley-terminal-"));
/** As `parley all` lays it out: the seller's folder lies below the one that is named. */
const data = ["--data", root];

const gated = {
  APPROVAL_GATE_ENABLED: "true",
  APPROVAL_REQUIRED_FLOWS: "deal",
  APPROVAL_REQUIRED_ABOVE_VALUE: "0",
  SANDBOX: "true",
  LOG_LEVEL: "error",
};

type Environment = Readonly<Record<string, string>>;

const others = { call: addCallCommand, console: addConsoleCommand, key: addKeyCommand };

const adderOf = async (name: string) => {
  const other = (others as Readonly<Record<string, typeof addKeyCommand>>)[name];
  return other ?? loadSubject(name)();
};

const environmentOf = (more: Environment): Environment => ({ LOG_LEVEL: "error", ...secretEnvironment, ...more });

const parley = async (args: readonly string[], more: Environment = {}): Promise<Said> =>
  runCommand(await adderOf(args[0] ?? ""), args, environmentOf(more));

let seller: Started;
let url: string;
let key: string;
let operatorKey: string;

const call = async (name: string, input: object, more: Environment = {}): Promise<Record<string, unknown>> => {
  const said = await parley(["call", "--agent", "seller", ...data, name, JSON.stringify(input)], more);
  expect(said.err).toBe("");
  return JSON.parse(said.out) as Record<string, unknown>;
};

beforeAll(async () => {
  buildProduct();
  const serve = ["seller", "--port", "0", "--data", join(root, "seller")];
  seller = startCommand(addServeCommands, serve, environmentOf(gated));
  await seller.ended;
  url = /listening on (\S+)/.exec(seller.out())?.[1] ?? "";
  const identity = { label: "desk", agency_id: "ag-1", agency_name: "Caf\u00e9 \u202eevil" };
  key = String((await call("create_api_key", identity))["api_key"]);
  const flight = { flight_start: "2027-03-01", flight_end: "2027-03-31" };
  for (const impressions of [2_000_000, 3_000_000]) {
    const wanted = { product_id: "prod-53e78a97", deal_type: "PG", ...flight, impressions };
    const { quote_id } = await call("request_quote", wanted, { PARLEY_KEY: key });
    await call("book_deal", { quote_id }, { PARLEY_KEY: key });
  }
  const minted = await parley(["key", "create", "--agent", "seller", ...data, "--label", "op", "--quiet"]);
  operatorKey = minted.out.trim();
});
afterAll(async () => {
  await seller.stop();
  rmSync(root, { recursive: true, force: true });
});

const propertyAt = (schema: JsonSchema, path: string): JsonSchema | null =>
  path.split(".").reduce<JsonSchema | null>((found, name) => {
    const plain = [found, ...((found?.["anyOf"] ?? []) as JsonSchema[])].find(
      (one) => one?.["properties"] !== undefined,
    );
    return (plain?.["properties"] as Record<string, JsonSchema> | undefined)?.[name] ?? null;
  }, schema);

describe("what a command reads", () => {
  const readers = Object.entries(listCommands).flatMap(([name, { of }]) =>
    Object.entries(of).map(([agent, reader]) => ({ name, agent: agent as "seller" | "buyer", reader })),
  );

  test.each(readers)(
    "$name of the $agent stands in the contracts: columns, id and record",
    async ({ agent, reader }) => {
      const contracts = await contractsOf(agent);
      const list = contracts.find(({ name }) => name === reader.list);
      const get = contracts.find(({ name }) => name === reader.get);
      expect(list?.effect).toBe("read");
      expect(get?.effect).toBe("read");
      const output = jsonSchemaOf(list!.output, "output")["properties"] as Record<string, JsonSchema>;
      const rows = Object.values(output).find(({ type }) => type === "array")?.["items"] as JsonSchema;
      for (const path of [reader.id, ...reader.columns.flatMap(({ paths }) => paths)]) {
        expect(propertyAt(rows, path), path).not.toBeNull();
      }
      expect((jsonSchemaOf(get!.input, "input") as { required?: string[] }).required).toHaveLength(1);
    },
  );
});

const out = async (...args: string[]): Promise<string> => (await parley([...args, ...data])).out;

describe("a table of an agent of this machine", () => {
  test("deals stand in columns with their sums, and the sandbox is named", async () => {
    const said = await parley(["deals", ...data]);
    expect([said.code, said.err]).toEqual([0, ""]);
    expect(said.out).toMatch(/^#  deal +buyer +product +flight +type +impressions +CPM +cost +status\n1  DEMO-/);
    expect(said.out).toMatch(/CTV Premium Streaming +2027-03-01 to 2027-03-31 +PG +3,000,000 +\d\d\.\d\d +\d/);
    expect(said.out).toMatch(
      /\n2 deals\.\nOf all that match, 2 stand, [\d,]+\.\d\d USD\.\nsandbox: .*nothing of it is/,
    );
    expect(said.out).toContain("Café ?evil");
    expect(said.out).not.toContain("\u001b");
  });

  test("flags are the filters of the operation", async () => {
    expect(await out("deals", "--status", "active,expired")).toMatch(/^0 deals\./);
    expect(await out("deals", "--waiting", "--deal-type", "PG")).toContain("2 deals.");
    expect(await out("deals", "--waiting", "no")).toContain("0 deals.");
    expect(await out("deals", "--limit", "1")).toMatch(/1 of 2 deals\.[^]*More with --cursor \d+, all with --all/);
  });

  test("--jsonl --all prints each row of every page on a line, --json the answer", async () => {
    const lines = (await out("deals", "--limit", "1", "--all", "--jsonl")).trimEnd().split("\n");
    expect(lines.map((line) => (JSON.parse(line) as { deal_type: string }).deal_type)).toEqual(["PG", "PG"]);
    expect(JSON.parse(await out("products", "--limit", "1", "--json"))).toMatchObject({ count: 1 });
  });

  test("a number or an id gives the record", async () => {
    const byNumber = await out("deals", "2");
    const [, id = ""] = /^deal_id +(\S+)$/m.exec(byNumber) ?? [];
    expect(await out("deals", id)).toBe(byNumber);
    expect(byNumber).toMatch(/^terms\.impressions +2,000,000$/m);
  });

  test.each<[string, string[], number, RegExp]>([
    ["a row of an empty list", ["deals", "1", "--status", "expired"], 2, /There is no row 1: the list has 0\./],
    ["an unknown record", ["deals", "DEMO-NONE"], 1, /^parley: Deal DEMO-NONE not found\n$/],
    ["the same for a program", ["deals", "DEMO-NONE", "--json"], 1, /^\{.*"error":"deal_not_found".*"status":404\}\n$/],
    ["a row that is not there", ["deals", "99"], 2, /There is no row 99: the list has 2\./],
    ["a misspelled value", ["deals", "--status", "activ"], 2, /"activ" is none of .*Did you mean active\?/],
    ["a misspelled flag", ["deals", "--statsu", "active"], 2, /Did you mean --status\?/],
    ["no number", ["keys", "--limit", "ten"], 2, /--limit: "ten" is no integer/],
    ["neither yes nor no", ["deals", "--waiting", "perhaps"], 2, /--waiting: "perhaps" is neither yes nor no/],
    ["a filter of the other agent", ["deals", "--seller-url", "http://x"], 2, /--seller-url: list_deals takes no such/],
    ["no agent", ["keys", "--agent", "edge"], 2, /neither seller nor buyer/],
    ["a value that the operation refuses", ["deals", "--limit", "9999"], 1, /^parley: limit: .*500/],
    ["no decision", ["approvals", "1", "aprove"], 2, /Did you mean approve\?/],
    ["a counter without a price", ["approvals", "1", "counter"], 2, /counter needs a price/],
    ["nobody to ask", ["approvals", "1", "approve"], 2, /question: parley approvals [\w-]{8,} approve --yes\n$/],
    ["a number decided unseen", ["approvals", "1", "approve", "--yes"], 2, /name the approval by its id/],
  ])("%s is said with its exit code", async (_name, args, code, message) => {
    const said = await parley([...args, ...data]);
    expect([said.code, said.out, said.err]).toEqual([code, "", expect.stringMatching(message)]);
  });

  test("a folder that holds nothing is no store afterwards", async () => {
    const nowhere = join(root, "nowhere");
    for (const name of ["deals", "console"]) {
      const said = await parley([name, "--data", nowhere]);
      expect([said.code, said.out]).toEqual([1, ""]);
      expect(said.err).toContain(`There is no store in the folder ${nowhere}`);
    }
    expect(existsSync(nowhere)).toBe(false);
  });
});

test("an approval is shown with its prices and decided once, by the person who is signed in", async () => {
  expect(await out("approvals")).toMatch(/\n2 approvals\.\n2 wait: [\d,]+\.00 USD\.\n$/);
  const [row = ""] = (await out("approvals", "--jsonl")).split("\n");
  const { approval_id: id } = JSON.parse(row) as { approval_id: string };
  expect(await out("approvals", id)).toMatch(/offers \$[\d.]+ CPM for CTV[^]*\nprices +floor 28\.00 .*list 35\.00/);
  expect(await out("approvals", id, "approve", "--yes")).toBe(`Decided: approve, by ${userInfo().username}.\n`);
  const again = await parley(["approvals", ...data, id, "reject", "--yes"]);
  expect([again.code, again.err]).toEqual([1, "parley: The approval has been decided. It is decided once.\n"]);
  expect(await out("approvals")).toContain("1 approval.");
});

describe("an agent at an address", () => {
  test("shows the holder of a key its own, and a stranger nothing", async () => {
    expect((await parley(["deals", "--url", url], { PARLEY_KEY: key })).out).toContain("2 deals.");
    expect((await parley(["products", "--url", url])).out).toContain("13 products.");
    expect((await parley(["keys", "--url", url], { PARLEY_KEY: operatorKey })).out).toMatch(/ desk +buyer +ag-1 /);
  });

  test.each<[string, () => [string, Environment], RegExp]>([
    ["wants a key", () => ["keys", {}], /wants a key: set PARLEY_KEY/],
    ["shows a stranger no deals", () => ["deals", {}], /nothing of this kind without a key.*set PARLEY_KEY to one/],
    ["shows a stranger no approvals", () => ["approvals", {}], /nothing of this kind without a key/],
    [
      "refuses the key",
      () => ["keys", { PARLEY_KEY: "ask_live_wrong" }],
      /refuses the key in PARLEY_KEY.*invalid_api_key.*begin with ask_/,
    ],
    ["refuses the caller", () => ["keys", { PARLEY_KEY: key }], /operator/],
    ["is of the other kind", () => ["bookings", {}], /does not offer list_bookings: it is no buyer, or older/],
  ])("that %s is told in one sentence", async (_name, given, message) => {
    const [name, environment] = given();
    const said = await parley([name, "--url", url], environment);
    expect([said.code, said.out, said.err]).toEqual([1, "", expect.stringMatching(message)]);
    expect(said.err.trimEnd()).not.toContain("\n");
    expect(said.err).not.toContain("ask_live_");
  });

  test("that is down ends with 3, and the address and a folder are not mixed", async () => {
    const gone = await startLoopback(() => undefined);
    await gone.close();
    for (const args of [["deals"], ["events", "--follow"]]) {
      const said = await parley([...args, "--url", gone.url]);
      expect([said.code, said.err]).toEqual([3, expect.stringContaining("Check the address")]);
    }
    expect(await parley(["deals", "--url", url, ...data])).toMatchObject({ code: 2 });
    expect(await parley(["deals", "--url", "nowhere"])).toMatchObject({ code: 2 });
  });

  test("that answers in another form is said to be of another version", async () => {
    const other = await startLoopback((_request, response) => answerJson(response, 200, { deals: "none" }));
    const said = await parley(["deals", "--url", other.url]);
    await other.close();
    expect([said.code, said.err]).toEqual([1, expect.stringMatching(/another form.*version/)]);
    const single = await parley(["deals", "DEMO-1", "--url", url, "--json"]);
    expect([single.code, JSON.parse(single.err)]).toMatchObject([1, { error: "authentication_required", status: 401 }]);
  });
});

describe("events --follow", () => {
  test.each([
    ["an agent at an address", () => ["--url", url]],
    ["an agent of this machine", () => data],
  ])("prints what happens at %s, until it is stopped", async (_name, where) => {
    const args = ["events", "--follow", "--jsonl", ...where()];
    const follower = startCommand(await loadSubject("events")(), args, environmentOf({ PARLEY_KEY: operatorKey }));
    // A follower starts at the end: what happens before it listens is not told.
    for (let n = 0; !follower.out().includes("quote.created") && n < 300; n += 1) {
      await call("request_quote", { product_id: "prod-c642fc9b", deal_type: "PD", impressions: 10_000 + n });
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    await follower.stop();
    expect(await follower.ended).toMatchObject({ code: 0, err: "" });
    const events = follower.out().trimEnd().split("\n");
    expect(events.map((line) => (JSON.parse(line) as { event_type: string }).event_type)).toContain("quote.created");
  });

  test("a folder that nobody serves has no events to come", async () => {
    const idle = ["--data", join(root, "idle")];
    await parley(["key", "create", "--agent", "seller", ...idle, "--label", "x"]);
    const said = await parley(["events", "--follow", ...idle]);
    expect([said.code, said.err]).toEqual([1, expect.stringContaining("No seller runs on this folder")]);
  });
});

test("parley console links to where the agent is served, also by the folder above it", async () => {
  expect(await out("console")).toMatch(new RegExp(`^${url}/console/#code=[0-9A-Z-]+\\n$`));
  expect(await out("console", "--port", "7")).toMatch(/^http:\/\/127\.0\.0\.1:7\/console/);
});

test("the program itself knows the commands, and offers the nearest name", () => {
  const said = spawned(["dealz"]);
  expect([said.code, said.err]).toEqual([2, expect.stringContaining('unknown command "dealz" (Did you mean deals?)')]);
});

test("a press of Tab completes commands, flags and their values", () => {
  expect(spawned(["complete", "--", "dea"]).out).toMatch(/^deals\t/);
  expect(spawned(["complete", "--", "deals", "--status", ""]).out).toMatch(/^proposed\t\nactive\t/);
  expect(spawned(["completion", "bash"]).out).toContain("parley complete --");
});

test("on a terminal a line says what is done, then what became of it; a program gets whole lines alone", async () => {
  const written: string[] = [];
  const write = (text: string): boolean => written.push(text) > 0;
  const live = liveLines({ isTTY: true, write } as unknown as NodeJS.WriteStream);
  expect(
    await live?.step(
      "seller",
      () => Promise.resolve(7),
      (n) => `seller on ${n}`,
    ),
  ).toBe(7);
  await live?.step(
    "brief",
    () => Promise.resolve(),
    () => null,
  );
  await live
    ?.step(
      "edge",
      () => Promise.reject(new Error("taken")),
      () => null,
    )
    .catch(() => undefined);
  const shown = written.join("").replace(/\d+\.\d s/, "N s");
  expect(shown).toBe("seller …\r\u001b[2Kseller on 7   N s\nbrief …\r\u001b[2Kedge …\n");
  expect(liveLines({ isTTY: false, write } as unknown as NodeJS.WriteStream)).toBeNull();
});
