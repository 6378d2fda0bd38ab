import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { buildProduct, main, parley, type Running, startParley } from "./program.ts";

const root = mkdtempSync(join(tmpdir(), "parley-cli-"));
const folder = (name: string): string => join(root, name);

beforeAll(buildProduct);
afterAll(() => rmSync(root, { recursive: true, force: true }));

describe("commands on a folder that nobody serves", () => {
  const data = ["--agent", "seller", "--data", folder("idle")];

  it("key create --quiet prints the key and nothing else", () => {
    const said = parley(["key", "create", ...data, "--label", "alice", "--quiet"]);
    expect(said).toMatchObject({ code: 0, err: "" });
    expect(said.out).toMatch(/^ask_live_[\w-]{43}\n$/);
  });

  it("a label in use is refused with the cure, on stderr, with exit code 1", () => {
    const said = parley(["key", "create", ...data, "--label", "alice"]);
    expect(said).toMatchObject({ code: 1, out: "" });
    expect(said.err).toMatch(/^parley: An active operator key has this label\. Choose another\.\n$/);
  });

  it("a label that is too long is refused in a sentence that names it", () => {
    const said = parley(["key", "create", ...data, "--label", "x".repeat(300)]);
    expect(said).toMatchObject({ code: 1, out: "" });
    expect(said.err).toMatch(/^parley: label: Must have at most 255 characters\n$/);
  });

  it("key list shows the active keys in columns and escapes what a label could do to a terminal", () => {
    parley(["key", "create", ...data, "--label", "bell\u0007", "--role", "operator", "--expires-in-days", "30"]);
    const [head = "", ...rows] = parley(["key", "list", ...data])
      .out.trimEnd()
      .split("\n");
    expect(head).toMatch(/^Key ID +Label +Role +Active +Created +Expires +Last used +Uses$/);
    expect(rows).toHaveLength(2);
    expect(rows[0]).toMatch(/^key-[0-9a-f]{8} {2}alice +senior +yes +\d{4}-\S+Z +never +- +0$/);
    expect(rows[1]).toMatch(/^key-[0-9a-f]{8} {2}bell\\u0007 +operator +yes +\S+Z +\d{4}-\S+Z +- +0$/);
    parley(["key", "create", ...data, "--label", "csi\u009b2J"]);
    expect(parley(["key", "list", ...data]).out).toMatch(/ csi\?2J +senior /);
    parley(["key", "revoke", ...data, "--label", "csi\u009b2J"]);
  });

  it("key revoke takes an id or the label of one active key; the label is free again", () => {
    const said = parley(["key", "revoke", ...data, "--label", "bell\u0007"]);
    expect(said.out).toMatch(/^key-[0-9a-f]{8} is revoked: its next use is refused\.\n$/);
    const again = parley(["key", "revoke", ...data, "--label", "bell\u0007"]);
    expect(again).toMatchObject({ code: 1, out: "" });
    expect(again.err).toContain("No active key has the label");
    expect(parley(["key", "list", ...data]).out).not.toContain("bell");
    expect(parley(["key", "list", ...data, "-a"]).out).toMatch(/ bell\\u0007 +operator +no /);
    const unknown = parley(["key", "revoke", ...data, "--key-id", "key-00000000"]);
    expect(unknown.code).toBe(1);
    expect(unknown.err).toBe("parley: API key key-00000000 not found\n");
  });

  it("a label that several active keys have is not guessed at", () => {
    const input = (seat: string): string => JSON.stringify({ seat_id: seat, label: "twins" });
    for (const seat of ["one", "two"]) parley(["call", ...data, "create_api_key", input(seat)]);
    const said = parley(["key", "revoke", ...data, "--label", "twins"]);
    expect(said).toMatchObject({ code: 1, out: "" });
    expect(said.err).toMatch(/2 active keys have the label "twins": key-\S+, key-\S+\. Name one with --key-id\./);
  });

  it("the keys of a buyer are listed and revoked in the same way", () => {
    const buyer = ["--agent", "buyer", "--data", folder("buyer")];
    parley(["key", "create", ...buyer, "--label", "desk", "--quiet"]);
    const [, row = ""] = parley(["key", "list", ...buyer]).out.split("\n");
    expect(row).toMatch(/^key-[0-9a-f]{8} {2}desk +senior +yes +\S+Z +never +- +0$/);
    const [id = ""] = row.split(" ");
    expect(parley(["key", "revoke", ...buyer, "-k", id]).code).toBe(0);
    expect(parley(["key", "list", ...buyer]).out).toBe("No keys found.\n");
  });

  it("call prints the output of any operation; PARLEY_KEY is the caller where it is set", () => {
    const listed = parley(["call", ...data, "list_products", '{"limit": 1}']);
    expect(JSON.parse(listed.out)).toMatchObject({ total: 13, count: 1 });
    const denied = parley(["call", ...data, "list_api_keys"], { PARLEY_KEY: "ask_live_nobody" });
    expect(denied.code).toBe(1);
    expect(denied.err).toMatch(/^parley: Invalid API key\. Leave PARLEY_KEY unset to act as the operator .*ask_/);
    const made = JSON.parse(
      parley(["call", ...data, "create_api_key", '{"seat_id": "s-1", "label": "b"}']).out,
    ) as object;
    const buyer = { PARLEY_KEY: (made as { api_key: string }).api_key };
    expect(parley(["call", ...data, "list_api_keys"], buyer).err).toMatch(/Operator credential required\. .*unset it/);
    const forProgram = parley(["call", ...data, "--json", "list_api_keys"], { PARLEY_KEY: "ask_live_nobody" });
    expect([forProgram.code, JSON.parse(forProgram.err)]).toMatchObject([1, { error: "invalid_api_key" }]);
  });

  it("an unknown command and an unknown option end with 2", () => {
    expect(parley(["sell"]).code).toBe(2);
    expect(parley(["seller", "--prot", "1"]).code).toBe(2);
  });

  const wrongCalls: readonly (readonly [args: readonly string[], words: string])[] = [
    [["sell", "--help"], 'unknown command "sell"'],
    [["seller", "--port", "abc"], '--port: "abc" is not a port'],
    [["all", "--edge-port", "70000"], '--edge-port: "70000" is not a port'],
    [["edge", "--runtime", "Z"], '--runtime: "Z" is none of A, B, C and D'],
    [["call", "--agent", "vendor", "list_products"], "neither seller nor buyer"],
    [["call", ...data, "list_products", "{limit"], "not valid JSON"],
    [["call", ...data, "list_deals", '{"limitt": 1}'], 'list_deals takes no "limitt". Did you mean limit?'],
    [["call", ...data, "request_quote", '{"impresions": 1}'], "Did you mean impressions? Nothing was done."],
    [["edge", "chek"], 'edge has no command "chek". Did you mean check?'],
    [["key", "revoke", ...data], "--key-id or --label"],
    [["key", "create", ...data, "--label", "x", "--expires-in-days", "0"], "is not a number of days"],
    [["key", "create", ...data, "--label", " "], "--label: the text is empty"],
    [["key", "create", "--agent", "buyer", "--label", "x", "--role", "edge"], "none of viewer, operator, senior"],
    [["audit", "verify", "--agent", "seller", "--data", ""], "--data: the text is empty"],
    [["seller", "--port", "0", "--data", ""], "--data: the text is empty"],
    [["seller", "--port", "0", "--catalog", ""], "--catalog: the text is empty"],
    [["seller", "--port", "0", "--host", "", "--data", folder("nowhere")], "--host: the text is empty"],
    [["buyer", "--port", "0", "--host", "", "--data", folder("nowhere")], "--host: the text is empty"],
    [["all", "--data", ""], "--data: the text is empty"],
    [["edge", "--data", ""], "--data: the text is empty"],
    [["all", "--seller-port", "9", "--buyer-port", "9"], "--seller-port and --buyer-port are both port 9"],
    [["all", "--buyer-port", "9", "--edge-port", "9"], "--buyer-port and --edge-port are both port 9"],
    [["call", "--agent", "buyer", "--catalog", "x.csv", "list_bookings"], "a buyer has no catalog"],
  ];

  it.each(wrongCalls)("called wrongly as %j it ends with 2 and says what is wrong", (args, words) => {
    const said = parley(args);
    expect(said).toMatchObject({ code: 2, out: "" });
    expect(said.err).toContain(words);
  });

  const refusedCalls: readonly (readonly [args: readonly string[], words: string])[] = [
    [["call", ...data, "get_deal", '{"deal_id": "DEMO-1"}'], "Deal DEMO-1 not found. Take an id from list_deals."],
    [["call", ...data, "list_deelz"], "There is no operation list_deelz. Did you mean list_deals?"],
    [["call", ...data, "list_deals", "[]"], "body: Must be an object; a list was sent"],
    [["products", "--catalog", folder("none.csv")], "there is no such file; check the path in --catalog"],
    [["seller", "--port", "0", "--data", folder("nowhere"), "--catalog", root], "this is a folder"],
  ];

  it.each(refusedCalls)("refused as %j it ends with 1 and one sentence with the cure", (args, words) => {
    const said = parley(args);
    expect(said).toMatchObject({ code: 1, out: "" });
    expect(said.err).toContain(words);
    expect(said.err).not.toContain('"error"');
  });

  it("audit verify proves the trail", () => {
    expect(parley(["audit", "verify", ...data]).out).toMatch(/^audit trail whole: \d+ records in 1 chain/);
  });

  it("audit verify with a hash that was kept fails where the trail no longer has it", () => {
    const hash = /ends with record \d+, hash ([0-9a-f]{64})/.exec(parley(["audit", "verify", ...data]).out)?.[1] ?? "";
    expect(parley(["audit", "verify", "--expect", hash, ...data]).out).toContain("audit trail whole");
    const cut = parley(["audit", "verify", "--expect", "0".repeat(64), ...data]);
    expect(cut).toMatchObject({ code: 1, out: expect.stringContaining(`no record has the hash ${"0".repeat(64)}`) });
    expect(parley(["audit", "verify", "--expect", "0", ...data])).toMatchObject({ code: 2, out: "" });
  });

  it("audit verify says of a store without records that nothing is proven", async () => {
    const data = ["--data", folder("unused")];
    const server = startParley(["buyer", "--port", "0", ...data]);
    await server.until("listening on ");
    await server.stop("SIGTERM");
    const said = parley(["audit", "verify", "--agent", "buyer", ...data]);
    expect([said.code, said.out]).toEqual([1, ""]);
    expect(said.err).toContain("nothing is proven");
  });

  it("a command that only looks makes no store at a path that was mistyped", () => {
    const mistyped = ["--agent", "seller", "--data", folder("mistyped")];
    const looks = [
      ["audit", "verify", ...mistyped],
      ["key", "list", ...mistyped],
      ["key", "revoke", ...mistyped, "--label", "alice"],
      ["call", ...mistyped, "list_products"],
      ["call", ...mistyped, "sell_everything"],
      ["call", ...mistyped, "--dry-run", "request_quote", '{"product_id": "prod-91ddc363", "deal_type": "PD"}'],
    ];
    for (const args of looks) {
      const said = parley(args);
      expect([said.code, said.out], args.join(" ")).toEqual([1, ""]);
      expect(said.err).toContain(`There is no store in the folder ${folder("mistyped")}`);
    }
    expect(parley(["call", ...mistyped, "--list"]).out).toMatch(/^request_quote +\S/m);
    expect(existsSync(folder("mistyped"))).toBe(false);
  });

  it("the operations that are listed are those of the server", () => {
    const listed = parley(["call", "--agent", "seller"]).out.match(/^\S+/gm) ?? [];
    const surface = JSON.parse(readFileSync("docs/surface/seller/operations.json", "utf8")) as { name: string }[];
    expect(listed.toSorted()).toEqual(surface.map(({ name }) => name).toSorted());
  });

  it("a journal file that is missing stops audit verify and every other command", async () => {
    const dir = folder("torn");
    const server = startParley(["seller", "--port", "0", "--data", dir]);
    await server.until("listening on ");
    parley(["key", "create", "--agent", "seller", "--data", dir, "--label", "carol", "--quiet"]);
    const journal = join(dir, "journal-0000000000000001.jsonl");
    rmSync(journal);
    const served = parley(["audit", "verify", "--agent", "seller", "--data", dir]);
    expect([served.code, served.out]).toEqual([1, ""]);
    expect(served.err).toBe(`parley: ${journal} is missing. Restore the folder from a backup.\n`);
    await server.stop("SIGKILL");
    for (const args of [
      ["audit", "verify"],
      ["key", "list"],
      ["call", "list_products"],
    ]) {
      const said = parley([...args.slice(0, 2), "--agent", "seller", "--data", dir]);
      expect([said.code, said.out], args.join(" ")).toEqual([1, ""]);
      expect(said.err).toContain(`${journal} is missing beside the snapshot`);
    }
  });

  it("--version prints the version of package.json", () => {
    const { version } = JSON.parse(readFileSync("package.json", "utf8")) as { version: string };
    expect(parley(["--version"])).toEqual({ code: 0, out: `${version}\n`, err: "" });
  });

  it("a brief that begins with a byte order mark is read", () => {
    const brief = folder("brief.json");
    writeFileSync(brief, "\uFEFF{}");
    const said = parley(["book", brief, "--data", folder("buyer")]);
    expect(said.code).toBe(1);
    expect(said.err).toContain("The buyer refused: ");
  });

  it("a brief in another encoding is refused, where its letters would be replaced without a word", () => {
    const brief = folder("latin.json");
    writeFileSync(brief, Buffer.from('{"name":"Caf\xe9"}', "latin1"));
    const said = parley(["book", brief, "--data", folder("buyer")]);
    expect(said.code).toBe(1);
    expect(said.err).toContain("is not UTF-8");
  });

  it("a booking that a killed command left half done is told to the next, but not to its own", async () => {
    const silent = createServer();
    await new Promise<void>((resolve) => void silent.listen(0, "127.0.0.1", resolve));
    const { port } = silent.address() as AddressInfo;
    const brief = folder("killed.json");
    writeFileSync(brief, readFileSync("test/examples/brief.json"));
    const args = ["book", brief, "--data", folder("killed")];
    const seller = { SELLER_ENDPOINTS: `http://127.0.0.1:${port}` };
    const asked = new Promise((resolve) => silent.once("request", resolve));
    const killed = startParley([...args, "--idempotency-key", "once"], seller);
    await asked;
    await killed.stop("SIGKILL");
    silent.closeAllConnections();
    await new Promise((resolve) => silent.close(resolve));
    const again = parley(args, seller);
    expect([again.code, again.err]).toEqual([
      1,
      expect.stringMatching(/booking \S+ \(Spring launch\) was not finished/),
    ]);
    const [, jobId = "", input = ""] =
      /booking (\S+) .*parley call --agent buyer get_booking '(.+)'/.exec(again.err) ?? [];
    const shown = parley(["call", "--agent", "buyer", "--data", folder("killed"), "get_booking", input], seller);
    expect([shown.code, shown.out]).toEqual([0, expect.stringContaining(`"job_id": "${jobId}"`)]);
    const same = parley([...args, "--idempotency-key", "once"], seller);
    expect([same.code, same.out]).toEqual([1, expect.stringContaining("Seller agent unreachable")]);
    expect(same.err).not.toContain("was not finished");
  });

  it("what nests too deep or is too large is refused by the command itself", () => {
    const deep = `{"brief":${"[".repeat(5000)}${"]".repeat(5000)}}`;
    const said = parley(["call", "--agent", "buyer", "--data", folder("buyer"), "create_booking", deep]);
    expect(said.code).toBe(2);
    expect(said.err).toContain("nested deeper than 32 levels");
  });

  it("a reader of stdout that goes away ends a command quietly", async () => {
    const child = spawn(process.execPath, [main, "call", "--agent", "seller", "--list"], {
      stdio: ["ignore", "pipe", "pipe"],
    });
    let err = "";
    child.stderr.setEncoding("utf8").on("data", (text: string) => (err += text));
    child.stdout.destroy();
    expect(await new Promise((resolve) => child.once("close", resolve))).toBe(0);
    expect(err).toBe("");
  });

  it("every command explains itself", () => {
    for (const name of ["all", "seller", "buyer", "edge", "call", "book", "key", "audit", "mcp", "config"]) {
      const said = parley([name, "--help"]);
      expect(said.code, name).toBe(0);
      expect(said.out, name).toContain(`parley ${name}`);
    }
    expect(parley(["seller", "--help"]).out).toContain("QUOTE_TTL_SECONDS");
  });
});

describe("settings", () => {
  it("every wrong variable is named at once, and nothing starts", () => {
    const wrong = { QUOTE_TTL_SECONDS: "0", RATE_LIMIT_PER_MINUTE: "many", SANDBOX: "maybe" };
    const said = parley(["seller", "--port", "0", "--data", folder("wrong")], wrong);
    expect(said).toMatchObject({ code: 1, out: "" });
    for (const name of Object.keys(wrong)) expect(said.err).toContain(`${name}: `);
  });

  it("a seller starts with a settings file, and another command finds its store by PARLEY_CONFIG", async () => {
    const url = folder("url");
    writeFileSync(url, `lowdb:${folder("by-file")}\n`, { mode: 0o600 });
    const config = folder("parley.toml");
    const lines = [`database_url_file = "${url}"`, 'log_level = "error"', "drain_seconds = 0", "[seller]", "port = 0"];
    writeFileSync(config, lines.join("\n"));
    const seller = startParley(["seller", "--config", config]);
    await seller.until("listening on ");
    expect(parley(["console", "--agent", "seller"], { PARLEY_CONFIG: config }).err).toContain("no operator's key");
    expect(await seller.stop("SIGTERM")).toBe(0);
    expect(seller.err()).toBe("");
    writeFileSync(config, [...lines, "quote_ttl_second = 1"].join("\n"));
    const refused = parley(["seller", "--config", config]);
    expect(refused).toMatchObject({ code: 1, out: "" });
    expect(refused.err).toContain("line 6: quote_ttl_second is no setting here. Did you mean quote_ttl_seconds?");
    // A part of the settings is enough for it: what it does not read may be wrong.
    const migrated = parley(["migrate", "--agent", "seller"], { PARLEY_CONFIG: config });
    expect(migrated).toMatchObject({ code: 0, err: "" });
    expect(migrated.out).toContain(folder("by-file"));
  });

  it("another database scheme stops the start, also where --data names the folder", () => {
    const wrong = { DATABASE_URL: "mysql://localhost/x" };
    expect(parley(["seller", "--port", "0"], wrong)).toMatchObject({ code: 1, out: "" });
    expect(parley(["seller", "--port", "0", "--data", folder("other")], wrong).err).toContain("DATABASE_URL: use ");
  });

  it("a catalog with bad rows stops the start and names their lines", () => {
    const file = folder("catalog.csv");
    writeFileSync(file, "name,inventory_type,base_cpm,deal_types\nGood,ctv,20,PD\nBad,ctv,minus,PD\n,ctv,1,PD\n");
    const said = parley(["seller", "--port", "0", "--data", folder("catalog"), "--catalog", file]);
    expect(said.code).toBe(1);
    expect(said.err).toContain("line 3");
    expect(said.err).toContain("line 4");
  });
});

describe("the catalog of a seller", () => {
  const file = folder("own.csv");
  const dir = folder("own");
  const call = (...args: string[]) => parley(["call", "--agent", "seller", "--data", dir, ...args]);
  const namesIn = (text: string): string[] =>
    (JSON.parse(text) as { products: { name: string }[] }).products.map(({ name }) => name);

  beforeAll(async () => {
    writeFileSync(file, "product_id,name,deal_types,base_cpm\nown-1,Own Page,PD,10\n");
    const server = startParley(["seller", "--port", "0", "--data", dir, "--catalog", file]);
    await server.until("listening on ");
    expect(await server.stop("SIGTERM")).toBe(0);
  });

  it("is the same through a command whether or not the server runs, by flag or variable", () => {
    expect(namesIn(call("--catalog", file, "list_products").out)).toEqual(["Own Page"]);
    const named = parley(["call", "--agent", "seller", "--data", dir, "list_products"], { CATALOG_FILE: file });
    expect(namesIn(named.out)).toEqual(["Own Page"]);
    const wish = '{"product_id": "own-1", "deal_type": "PD"}';
    expect(JSON.parse(call("--catalog", file, "request_quote", wish).out)).toMatchObject({
      product: { product_id: "own-1" },
    });
  });

  it("is never replaced by the default one because nobody named it", () => {
    const wish = '{"product_id": "prod-91ddc363", "deal_type": "PD"}';
    const forgotten = [
      ["call", "--agent", "seller", "request_quote", wish],
      ["call", "--agent", "seller", "list_products"],
      ["mcp", "--agent", "seller"],
      ["seller", "--port", "0"],
    ];
    for (const args of forgotten) {
      const said = parley([...args, "--data", dir]);
      expect([said.code, said.out], args.join(" ")).toEqual([1, ""]);
      expect(said.err).toContain(`This seller's catalog is the file ${file}`);
      expect(said.err).toContain("Name it with --catalog or CATALOG_FILE");
    }
  });

  it("does not matter to keys and the audit trail", () => {
    const seller = ["--agent", "seller", "--data", dir];
    expect(parley(["key", "create", ...seller, "--label", "dora", "--quiet"]).code).toBe(0);
    expect(parley(["key", "list", ...seller]).out).toContain("dora");
    expect(parley(["audit", "verify", ...seller]).code).toBe(0);
  });

  it("goes over to the default one by its name, and a dry run changes nothing of it", () => {
    const wish = '{"product_id": "prod-91ddc363", "deal_type": "PD"}';
    expect(call("--catalog", "default", "--dry-run", "request_quote", wish).code).toBe(0);
    expect(call("request_quote", wish).code).toBe(1);
    expect(call("--catalog", "default", "request_quote", wish).code).toBe(0);
    expect(call("request_quote", wish).code).toBe(0);
  });
});

describe("commands on a folder that a server holds", () => {
  const dir = folder("served");
  let server: Running;
  let url = "";

  beforeAll(async () => {
    server = startParley(["seller", "--port", "0", "--data", dir]);
    await server.until("listening on ");
    url = /listening on (\S+)/.exec(server.out())?.[1] ?? "";
  });
  afterAll(() => server.stop("SIGKILL"));

  it("stdout has the ready line alone", () => {
    expect(server.out()).toBe(`listening on ${url}\n`);
  });

  it("a key minted while the server runs works at once", async () => {
    const key = parley(["key", "create", "--agent", "seller", "--data", dir, "--label", "bob", "--quiet"]).out.trim();
    const answer = await fetch(`${url}/auth/api-keys`, { headers: { "x-api-key": key } });
    expect(answer.status).toBe(200);
    expect(server.err()).not.toContain(key);
  });

  it("the other agent's commands are refused, and mint nothing", () => {
    const said = parley(["key", "create", "--agent", "buyer", "--data", dir, "--label", "bob"]);
    expect(said).toMatchObject({ code: 1, out: "" });
    expect(said.err).toContain("is the seller. Use --agent seller.");
  });

  it("a second server on the folder is refused with the process and the cure", () => {
    const said = parley(["seller", "--port", "0", "--data", dir]);
    expect(said.code).toBe(1);
    expect(said.err).toContain(`in use by process ${server.process.pid}`);
  });

  it("mcp over stdio reaches the same seller, with a real client", async () => {
    const client = new Client({ name: "cli", version: "0.0.0" });
    const args = [main, "mcp", "--agent", "seller", "--data", dir];
    await client.connect(new StdioClientTransport({ command: process.execPath, args, stderr: "ignore" }));
    const answer = await client.callTool({ name: "list_products", arguments: { limit: 1 } });
    expect(answer.structuredContent).toMatchObject({ total: 13 });
    const asHost = await client.callTool({ name: "list_api_keys", arguments: {} });
    expect(asHost.isError).toBeUndefined();
    await client.close();
  });

  it("SIGTERM drains and ends with 0; the next start finds everything", async () => {
    expect(await server.stop("SIGTERM")).toBe(0);
    const keys = parley(["call", "--agent", "seller", "--data", dir, "list_api_keys"]);
    expect(JSON.parse(keys.out)).toMatchObject({ total: 1 });
  });
});
