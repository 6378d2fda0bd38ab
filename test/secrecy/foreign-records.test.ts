import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sellerOperations } from "../../agents/seller/operations.ts";
import { dispatchEvents } from "../../agents/seller/webhooks/dispatch.ts";
import { create } from "../../protocol/seam/changes.ts";
import type { Contract } from "../../protocol/seam/operation.ts";
import { agentKind } from "../../skills/seller/registry/record.ts";
import { type OpenDoors, openDoors } from "../doors/doors.ts";
import { agentRow } from "../skills/agent-row.ts";
import { loadCases } from "../skills/cases.ts";
import { exemplaryCase } from "../skills/examples.ts";
import { openWorld, type World } from "../skills/world.ts";
import { watch } from "./watch.ts";

type Members = Readonly<Record<string, unknown>>;
type DoorName = "rest" | "mcp" | "a2a" | "rpc";

const doorNames: readonly DoorName[] = ["rest", "mcp", "a2a", "rpc"];
const contracts = sellerOperations.map(({ contract }) => contract);

const missing: Readonly<Record<string, string>> = {
  quote_id: "qt-ffffffffffff",
  deal_id: "DEMO-FFFFFFFFFFFF",
  order_id: "ORD-FFFFFFFFFFFF",
  cr_id: "CR-FFFFFFFFFFFF",
  proposal_id: "prop-ffffffff",
  negotiation_id: "neg-ffffffff",
  session_id: "ffffffff-ffff-4fff-8fff-ffffffffffff",
  key_id: "key-ffffffff",
  webhook_id: "wh-ffffffffffff",
  delivery_id: `whd-${"f".repeat(24)}`,
  agent_id: "agent-ffffffff",
  event_id: "ffffffff-ffff-4fff-8fff-fffffffffffe",
  flow_id: "qt-ffffffffffff",
  approval_id: "ffffffff-ffff-4fff-8fff-fffffffffffd",
  package_id: "pkg-ffffffff",
  record_id: "DEMO-FFFFFFFFFFFF",
  handover_id: "ho-ffffffffffffffff",
  conversation_id: "conv-ffffffffffffffff",
  media_buy_id: "mb-ffffffffffff",
  plan_id: "plan-ffffffffffff",
  task_id: "ffffffff-ffff-4fff-8fff-fffffffffffc",
};

const flight = { flight_start: "2027-03-01", flight_end: "2027-03-31" };
const proposalTerms = {
  product_id: "prod-53e78a97",
  deal_type: "PG",
  price: 20,
  impressions: 1_000_000,
  start_date: "2027-03-01",
  end_date: "2027-03-31",
};

const skillCases = loadCases();

const wantedBy = ({ name }: Contract): Members => {
  const input = (exemplaryCase(skillCases, name)?.skillCase.input ?? {}) as Members;
  const isPlain = ([member, value]: readonly [string, unknown]): boolean =>
    missing[member] === undefined && !JSON.stringify(value).includes("{{");
  return Object.fromEntries(Object.entries(input).filter(isPlain));
};

/** Only the first buyer said these; anybody else who reads one has read a foreign record. */
const saidByTheFirst = { notes: "canary-note-7c1d", price: 31.717171, name: "Canary Holding 7c1d" };

let world: World;
let doors: OpenDoors;
let foreign: Record<string, string> = {};
let own: Record<string, string> = {};

const made = async (caller: string, operation: string, input: Members): Promise<Record<string, string>> => {
  const reply = await world.send({ caller, operation, input });
  if (reply.code !== null) throw new Error(`${operation}: ${JSON.stringify(reply)}`);
  return reply.body as Record<string, string>;
};

const idOf = (record: Record<string, string>, member: string): string => {
  const id = record[member];
  if (typeof id !== "string") throw new Error(`no ${member} in ${JSON.stringify(record)}`);
  return id;
};

const deliveriesOf = async (caller: string, webhookId: string): Promise<string> => {
  const list = await made(caller, "list_webhook_deliveries", { webhook_id: webhookId });
  return (list["deliveries"] as unknown as { delivery_id: string }[])[0]?.delivery_id ?? "none";
};

const recordsOf = async (caller: string, notes: string, target: number): Promise<Record<string, string>> => {
  const seat_name = saidByTheFirst.name;
  const key = await made("operator", "create_api_key", { seat_id: `seat-of-${caller}`, seat_name });
  const webhook = await made(caller, "create_webhook", {
    url: "https://hooks.example/parley",
    event_types: ["quote.created"],
  });
  const wish = { product_id: "prod-53e78a97", deal_type: "PG", impressions: 100_000, ...flight };
  const quote = await made(caller, "request_quote", { ...wish, target_cpm: target });
  const deal = await made(caller, "book_deal", { quote_id: quote["quote_id"], notes });
  const order = await made(caller, "create_order", { deal_id: deal["deal_id"], metadata: { notes } });
  const change = { order_id: order["order_id"], change_type: "other", reason: notes };
  const changed = await made(caller, "create_change_request", change);
  const proposal = await made(caller, "submit_proposal", proposalTerms);
  const offer = { proposal_id: proposal["proposal_id"], buyer_price: 22, action: "counter", rationale: notes };
  const negotiation = await made(caller, "negotiate", offer);
  const session = await made(caller, "create_session", { name: notes });
  await made(caller, "send_session_message", { session_id: session["session_id"], message: notes });
  const [talk] = (await made("operator", "list_conversations", {}))["conversations"] as unknown as Members[];
  const handover = await made(caller, "request_handover", { words: notes });
  const buy = await made(caller, "book_media_buy", {
    account: { brand_domain: "acme.example", operator: "acme.example" },
    brand_domain: "acme.example",
    start_time: "2027-03-01T00:00:00Z",
    end_time: "2027-03-31T00:00:00Z",
    packages: [{ offer_id: "prod-53e78a97", budget: 9000, details: { notes } }],
    po_number: notes,
  });
  const [plan] = (await made(caller, "draft_plan", { brief: notes }))["plans"] as unknown as Members[];
  await dispatchEvents({ store: world.store, clock: world }, () => false);
  const events = await made("operator", "list_events", { flow_id: quote["quote_id"] });
  const webhookId = idOf(webhook, "webhook_id");
  return {
    quote_id: idOf(quote, "quote_id"),
    deal_id: idOf(deal, "deal_id"),
    order_id: idOf(order, "order_id"),
    cr_id: idOf(changed, "change_request_id"),
    proposal_id: idOf(proposal, "proposal_id"),
    negotiation_id: idOf(negotiation, "negotiation_id"),
    session_id: idOf(session, "session_id"),
    handover_id: idOf(handover, "handover_id"),
    conversation_id: String(talk?.["conversation_id"]),
    key_id: idOf(key, "key_id"),
    webhook_id: webhookId,
    delivery_id: await deliveriesOf(caller, webhookId),
    event_id: (events["events"] as unknown as { event_id: string }[])[0]?.event_id ?? "none",
    flow_id: idOf(quote, "quote_id"),
    record_id: idOf(deal, "deal_id"),
    media_buy_id: idOf(buy, "media_buy_id"),
    task_id: idOf(buy, "task_id"),
    plan_id: String(plan?.["plan_id"]),
  };
};

beforeAll(async () => {
  world = await openWorld({ settings: { approvalGate: { enabled: true, flows: ["deal"], aboveMicros: 0 } } });
  doors = await openDoors(world.runner, world.nowMs);
  foreign = await recordsOf("agency", saidByTheFirst.notes, saidByTheFirst.price);
  own = await recordsOf("advertiser", "own words", 29);
  const approvals = await made("operator", "list_pending_approvals", {});
  foreign["approval_id"] = (approvals["approvals"] as unknown as { approval_id: string }[])[0]?.approval_id ?? "none";
  const agent = agentRow("agent-0a0a0a0a", "https://agent.example", "approved");
  await world.store.commit({ changes: [create(agentKind, agent.agent_id, agent)], audit: null });
  foreign["agent_id"] = agent.agent_id;
  const product_ids = ["prod-53e78a97"];
  const packed = await made("operator", "assemble_package", { name: "Gone", product_ids });
  await made("operator", "archive_package", { package_id: packed["package_id"] });
  foreign["package_id"] = idOf(packed, "package_id");
  const ids = Object.values(saidByTheFirst).map(String);
  watch.scan.known({ owner: "agency:agency-2", isOperator: false, ids });
});

afterAll(async () => {
  await doors.close();
  await world.close();
});

const membersOf = (contract: Contract): readonly string[] => {
  const { shape } = contract.input as unknown as { shape?: Members };
  return Object.keys(shape ?? (contract.input as unknown as { in?: { shape: Members } }).in?.shape ?? {});
};

const isAccepted = (contract: Contract, input: Members): boolean => contract.input.safeParse(input).success;

/** Each id alone, beside the caller's own where more are required. */
const placesOf = (contract: Contract): readonly { readonly member: string; readonly beside: Members }[] => {
  const ids = membersOf(contract).filter((member) => missing[member] !== undefined);
  const more = wantedBy(contract);
  return ids.map((member) => {
    const others = ids.filter((id) => id !== member);
    const needed = others.filter((id) => !isAccepted(contract, { ...more, ...all(others, id), [member]: "x" }));
    return { member, beside: { ...more, ...Object.fromEntries(needed.map((id) => [id, `own ${id}`])) } };
  });
};

const all = (ids: readonly string[], but: string): Members =>
  Object.fromEntries(ids.filter((id) => id !== but).map((id) => [id, "x"]));

const withOwn = (beside: Members): Members =>
  Object.fromEntries(
    Object.entries(beside).map(([name, value]) => [
      name,
      typeof value === "string" && value.startsWith("own ") ? (own[name] ?? missing[name]) : value,
    ]),
  );

const notCompared = /^(?:date|request-id|ratelimit|keep-alive|mcp-session-id)/;

interface Raw {
  readonly status: number;
  readonly headers: readonly string[];
  readonly body: string;
}

const read = async (answer: Response): Promise<Raw> => ({
  status: answer.status,
  headers: [...answer.headers].filter(([name]) => !notCompared.test(name)).map((pair) => pair.join(": ")),
  body: await answer.text(),
});

const credential = (secret: string | null): Record<string, string> => (secret === null ? {} : { "x-api-key": secret });

const post = (path: string, body: unknown, headers: Record<string, string>): Promise<Response> =>
  fetch(new URL(path, doors.url), {
    method: "POST",
    headers: { "content-type": "application/json", accept: "application/json, text/event-stream", ...headers },
    body: JSON.stringify(body),
  });

const viaRest = async (contract: Contract, input: Members, secret: string | null): Promise<Raw> => {
  const { method = "POST", path = "/" } = contract.rest ?? {};
  const left: Record<string, unknown> = { ...input };
  const target = new URL(
    path.replace(/:([a-z_]+)/g, (_, name: string) => {
      const value = String(left[name]);
      delete left[name];
      return value;
    }),
    doors.url,
  );
  if (method !== "GET" && method !== "DELETE") {
    const headers = { "content-type": "application/json", ...credential(secret) };
    return read(await fetch(target, { method, headers, body: JSON.stringify(left) }));
  }
  for (const [name, value] of Object.entries(left)) target.searchParams.set(name, String(value));
  return read(await fetch(target, { method, headers: credential(secret) }));
};

const rpc = (method: string, params: unknown) => ({ jsonrpc: "2.0", id: 1, method, params });

const openMcp = async (secret: string | null): Promise<string> => {
  const clientInfo = { name: "secrecy", version: "0" };
  const hello = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo };
  const answer = await post("/mcp", rpc("initialize", hello), credential(secret));
  await answer.text();
  return answer.headers.get("mcp-session-id") ?? "";
};

const mcpSessions = new Map<string, Promise<string>>();

const viaMcp = async (contract: Contract, input: Members, secret: string | null): Promise<Raw> => {
  const session = mcpSessions.get(secret ?? "") ?? openMcp(secret);
  mcpSessions.set(secret ?? "", session);
  const headers = { ...credential(secret), "mcp-session-id": await session };
  return read(await post("/mcp", rpc("tools/call", { name: contract.name, arguments: input }), headers));
};

const viaA2a = async (contract: Contract, input: Members, secret: string | null): Promise<Raw> => {
  const parts = [{ kind: "data", data: { operation: contract.name, input } }];
  const message = { messageId: randomUUID(), role: "user", parts };
  return read(await post("/a2a/seller/jsonrpc", rpc("message/send", { message }), credential(secret)));
};

const via = (door: DoorName, contract: Contract, input: Members, caller: string): Promise<Raw> => {
  const secret = world.secretOf(caller);
  if (door === "rest") return viaRest(contract, input, secret);
  if (door === "mcp") return viaMcp(contract, input, secret);
  if (door === "a2a") return viaA2a(contract, input, secret);
  return post("/rpc", rpc(contract.name, input), credential(secret)).then(read);
};

const anyUuid = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

/** A2A makes new ids for each message. */
const withoutIds = (raw: Raw, ids: readonly string[]): string =>
  ids.reduce((text, id) => text.replaceAll(id, "<id>"), JSON.stringify(raw)).replace(anyUuid, "<made>");

const cases = contracts.flatMap((contract) => placesOf(contract).map((place) => ({ contract, ...place })));

describe.each(doorNames)("foreign and missing records through %s", (door) => {
  const open = cases.filter(({ contract }) => contract.closedDoors?.[door] === undefined);
  test.each(open.map((one) => [`${one.contract.name} ${one.member}`, one] as const))(
    "%s: equal bytes",
    async (_, { contract, member, beside }) => {
      const theirs = foreign[member] ?? "";
      const none = missing[member] ?? "";
      for (const caller of ["advertiser", "seat", "anonymous"]) {
        const rest = caller === "advertiser" ? withOwn(beside) : { ...withOwn(beside), ...missingOf(beside) };
        const found = await via(door, contract, { ...rest, [member]: theirs }, caller);
        const absent = await via(door, contract, { ...rest, [member]: none }, caller);
        expect(withoutIds(found, [theirs, none]), caller).toBe(withoutIds(absent, [theirs, none]));
      }
    },
  );
});

const missingOf = (beside: Members): Members =>
  Object.fromEntries(
    Object.entries(beside)
      .filter(([, value]) => typeof value === "string" && value.startsWith("own "))
      .map(([name]) => [name, missing[name]]),
  );

describe("what makes the comparison mean something", () => {
  test("every id that an operation takes is compared, or has no owner", () => {
    const withoutOwner = new Set([
      "audience_id",
      "product_id",
      "package_id",
      "seat_id",
      "agency_id",
      "advertiser_id",
      "buyer_id",
      // The caller's own names for a batch, a conversation and a creative.
      "creative_id",
      "batch_id",
      "context_id",
    ]);
    const named = contracts.flatMap((contract) =>
      membersOf(contract)
        .filter((member) => member.endsWith("_id") && !withoutOwner.has(member))
        .map((member) => `${contract.name} ${member}`),
    );
    const compared = new Set(cases.map(({ contract, member }) => `${contract.name} ${member}`));
    expect(named.filter((name) => !compared.has(name))).toStrictEqual([]);
    expect(Object.keys(missing).filter((member) => foreign[member] === undefined)).toStrictEqual([]);
  });

  test("the input is one that the operation accepts, so that no refusal of its form hides the record", () => {
    const wrong = cases
      .filter(({ contract }) => contract.access === "public" || contract.access === "key")
      .filter(
        ({ contract, member, beside }) => !isAccepted(contract, { ...withOwn(beside), [member]: missing[member] }),
      )
      .map(({ contract, member }) => `${contract.name} ${member}`);
    expect(wrong).toStrictEqual([]);
  });

  test("the records are there: their owner reads each of them", async () => {
    const reads = cases.filter(({ contract }) => contract.effect === "read" && contract.access === "public");
    for (const { contract, member, beside } of reads) {
      if (member === "package_id" || member === "agent_id") continue;
      const answer = await via("rest", contract, { ...withOwn(beside), [member]: foreign[member] }, "agency");
      expect(answer.status, `${contract.name} ${member}: ${answer.body}`).toBe(200);
    }
  });

  test("no list, search or page shows a buyer what another one said", async () => {
    const lists = contracts.filter(
      (contract) => contract.effect === "read" && contract.access !== "operator" && isAccepted(contract, {}),
    );
    expect(lists.length).toBeGreaterThan(8);
    for (const contract of lists)
      for (const caller of ["advertiser", "seat", "anonymous"])
        for (const door of doorNames) expect((await via(door, contract, {}, caller)).status).toBeLessThan(500);
    const agencySees = await via(
      "rest",
      contracts.find(({ name }) => name === "list_orders") as Contract,
      {},
      "agency",
    );
    expect(agencySees.body).toContain(saidByTheFirst.notes);
  });
});
