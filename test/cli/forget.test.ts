import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { forgetBuyer } from "../../agents/host/forgetting.ts";
import { openMovable } from "../../agents/host/store-tools.ts";
import { sellerForgetRules } from "../../agents/seller/forgetting/rules.ts";
import { describeOnPostgres, runSql } from "../storage/postgres/database.ts";
import { buildProduct, parley, parleyWith, type Running, type Said, startParley } from "./program.ts";

const root = mkdtempSync(join(tmpdir(), "parley-forget-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));
beforeAll(buildProduct);

interface Place {
  readonly flags: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  /** All that is stored, as text. */
  kept(): Promise<string>;
}

const textOf = (dir: string): string =>
  readdirSync(dir)
    .map((name) => `${name}\n${readFileSync(join(dir, name), "utf8")}`)
    .join("\n");

const inFolder = (dir: string): Place => ({
  flags: ["--agent", "seller", "--data", dir],
  environment: {},
  kept: () => Promise.resolve(textOf(dir)),
});

const tables = ["rows", "row_terms", "term_counts", "ledgers", "sums", "audit"];

const inDatabase = (url: string): Place => ({
  flags: ["--agent", "seller"],
  environment: { DATABASE_URL: url },
  kept: async () =>
    (await Promise.all(tables.map((table) => runSql(url, `SELECT t::text FROM parley_seller.${table} t`))))
      .flat()
      .map((row) => JSON.stringify(row))
      .join("\n"),
});

const serve = async ({ flags, environment }: Place): Promise<Running> => {
  const [, , ...data] = flags;
  const running = startParley(["seller", "--port", "0", ...data], {
    ...environment,
    RATE_LIMIT_PER_MINUTE: "0",
    RATE_LIMIT_ANONYMOUS_PER_MINUTE: "0",
  });
  await running.until("listening on");
  return running;
};

const urlOf = (running: Running): string => /listening on (\S+)/.exec(running.out())?.[1] ?? "";

type Body = Record<string, unknown>;

interface Buyer {
  readonly keyId: string;
  readonly secret: string;
}

/** Calls of the host run while the agent does. */
const hostCall = async ({ flags, environment }: Place, operation: string, input: Body): Promise<Body> => {
  const said = await parleyWith(["call", ...flags, operation, JSON.stringify(input)], "", environment);
  expect(said, said.err).toMatchObject({ code: 0 });
  return JSON.parse(said.out) as Body;
};

const madeBuyer = async (place: Place, name: string): Promise<Buyer> => {
  const named = {
    agency_id: `${name}-id`,
    agency_name: `${name} Holding`,
    seat_id: `${name}-seat`,
    label: `${name} label`,
  };
  const { key_id: keyId, api_key: secret } = await hostCall(place, "create_api_key", named);
  return { keyId: String(keyId), secret: String(secret) };
};

const sent = async (url: string, buyer: Buyer, path: string, body: Body): Promise<Body> => {
  const headers = { "content-type": "application/json", "x-api-key": buyer.secret };
  const answer = await fetch(new URL(path, url), { method: "POST", headers, body: JSON.stringify(body) });
  const given = (await answer.json()) as Body;
  expect(answer.status, `${path} ${JSON.stringify(given)}`).toBeLessThan(300);
  return given;
};

const wanted = { product_id: "prod-15ba2543", deal_type: "PD", impressions: 100_000 };

/** One of everything in which a buyer leaves words; its deal. */
const trade = async (url: string, buyer: Buyer, words: string): Promise<string> => {
  const post = (path: string, body: Body): Promise<Body> => sent(url, buyer, path, body);
  await post("/api/v1/quotes", wanted);
  const { quote_id } = await post("/api/v1/quotes", wanted);
  const { deal_id } = await post("/api/v1/deals", { quote_id, notes: `${words} notes` });
  await post("/api/v1/orders", { deal_id, metadata: { campaign: `${words} campaign` } });
  const { session_id } = await post("/sessions", { name: `${words} person` });
  await post(`/sessions/${String(session_id)}/messages`, { content: `we are ${words}, what do you sell?` });
  const message = {
    kind: "message",
    messageId: words,
    role: "user",
    parts: [{ kind: "text", text: `hello from ${words}` }],
  };
  await post("/a2a/seller/jsonrpc", { jsonrpc: "2.0", id: "1", method: "message/send", params: { message } });
  const asset = { asset_type: "image", url: `https://cdn.example/${words}.png` };
  const creatives = [
    { creative_id: words, name: `${words} banner`, format_id: "display_300x250_image", assets: { banner: asset } },
  ];
  await post("/api/v1/creatives/sync", { creatives });
  await post(`/api/v1/deals/${String(deal_id)}/cancel`, { reason: `${words} has no money left` });
  return String(deal_id);
};

const forget = ({ flags, environment }: Place, buyer: string, ...more: readonly string[]): Said =>
  parley(["data", "forget", ...flags, "--buyer", buyer, ...more], environment);

const forgets = (title: string, placed: () => Place): void => {
  it(`${title}: names and words go, figures and the proof of the trail stay, and others keep all`, async () => {
    const place = placed();
    let running = await serve(place);
    const [first, other] = [await madeBuyer(place, "orchid"), await madeBuyer(place, "walnut")];
    const deal = await trade(urlOf(running), first, "marigold");
    const open = await trade(urlOf(running), other, "juniper");
    await hostCall(place, "transition_deal", { deal_id: deal, to_status: "rejected", reason: "marigold asked" });
    expect(await running.stop("SIGTERM")).toBe(0);

    const refused = forget(place, "walnut-id", "--yes");
    expect(refused.code).toBe(1);
    expect(refused.out).toMatch(
      new RegExp(`deal ${open} is proposed: cancel it, or wait\\nagency:walnut-id cannot be forgotten before`),
    );
    const before = await place.kept();
    for (const word of ["orchid", "marigold", "walnut", "juniper"]) expect(before).toContain(word);
    const dry = forget(place, "orchid-id");
    expect(dry).toMatchObject({ code: 0, err: "" });
    expect(dry.out).toMatch(/\ndeal +0 +1\n/);
    expect(dry.out).toMatch(/\nrecords of the audit trail that lose words: [1-9]\d*\nnothing was changed: repeat/);
    const done = forget(place, "agency:orchid-id", "--yes");
    expect(done).toMatchObject({ code: 0, err: "" });
    expect(done.out).toContain(dry.out.split("\n").slice(0, -2).join("\n"));

    const after = await place.kept();
    for (const word of ["orchid", "marigold"]) expect(after).not.toContain(word);
    for (const word of ["walnut", "juniper"]) expect(after).toContain(word);
    const checked = parley(["store", "check", ...place.flags], place.environment);
    expect(checked.out).toMatch(/ {2}deal +2\n/);
    expect(checked.out).toMatch(/audit trail whole/);
    expect(forget(place, "agency:orchid-id", "--yes").out).toBe("nothing is stored about agency:orchid-id\n");

    running = await serve(place);
    const kept = await hostCall(place, "get_deal", { deal_id: deal });
    expect(kept).toMatchObject({
      deal_id: deal,
      status: "rejected",
      pricing: { final_cpm: expect.any(Number) as number },
    });
    const headers = { "x-api-key": first.secret };
    expect((await fetch(new URL(`/api/v1/deals/${deal}`, urlOf(running)), { headers })).status).toBe(401);
    expect(await running.stop("SIGTERM")).toBe(0);
  });
};

describe("parley data forget", () => {
  const dir = join(root, "seller");
  forgets("in a folder", () => inFolder(dir));

  it("ended at any commit it goes on, and ends as if it had not", async () => {
    const name = "walnut-id";
    const log = { warn: () => undefined };
    const run = async (at: string, mostCommits: number): Promise<boolean> => {
      const movable = await openMovable({ driver: "lowdb", dir: at }, log);
      let left = mostCommits;
      const commit: typeof movable.store.commit = async (asked) => {
        if ((left -= 1) < 0) throw new Error("the power is gone");
        return movable.store.commit(asked);
      };
      const cut = { ...movable, store: { ...movable.store, commit } };
      try {
        await forgetBuyer({
          movable: cut,
          rules: sellerForgetRules,
          buyer: name,
          isMeant: true,
          nowMs: Date.now() + 1e12,
        });
        return true;
      } catch (error) {
        expect(String(error)).toContain("the power is gone");
        return false;
      } finally {
        await movable.store.close();
      }
    };
    for (let commits = 0, isDone = false; !isDone; commits += 1) {
      const copy = join(root, `cut-${commits}`);
      cpSync(dir, copy, { recursive: true });
      isDone = await run(copy, commits);
      if (!isDone) expect(await run(copy, Number.POSITIVE_INFINITY)).toBe(true);
      const after = textOf(copy);
      for (const word of ["walnut", "juniper"]) expect(after).not.toContain(word);
      expect(new Set(after.match(/forgotten:[0-9a-f]{16}/g)).size).toBe(2);
      if (commits % 2 === 1 || isDone) {
        expect(parley(["store", "check", "--agent", "seller", "--data", copy]).out).toContain("audit trail whole");
      }
    }
  });
});

await describeOnPostgres("parley data forget", (url) => {
  forgets("in a database", () => inDatabase(url));
});
