import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { openAdServer } from "../../../../agents/seller/ad-server/open.ts";
import type { AdServer, AdServerReading, AdServerSettings } from "../../../../skills/seller/packages/ad-server.ts";

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

const open = (adServer: AdServerSettings, outboundAllow: readonly string[] = []): AdServer => {
  const { port, close } = openAdServer({ settings: { adServer, outboundAllow } });
  closing.push(close);
  if (port === null) throw new Error("no reader");
  return port;
};

const folderOf = async (csv: string, includeArchived = false): Promise<AdServer> => {
  const dir = await mkdtemp(join(tmpdir(), "parley-csv-"));
  closing.push(() => rm(dir, { recursive: true }));
  await writeFile(join(dir, "inventory.csv"), csv);
  return open({ type: "csv", dir, includeArchived });
};

const idsOf = (reading: AdServerReading): readonly string[] =>
  reading.ok ? reading.items.map((item) => item.itemId) : [reading.message];

describe("ad server: a CSV folder", () => {
  test("no type is told by the words of the name, a written one is one word, times are UTC", async () => {
    const names = ["Sports OTT", "Midroll", "News Feed", "Mobile Banner", "Local Cable", "Homepage"];
    const rows = names.map((name, place) => `${place},${name},,active,2027-01-0${place + 1} 10:00:00`);
    const csv = `id,name,type,status,updated_at\n${rows.join("\n")}\n9,Pods,Linear TV,active,2027-01-09T10:00:00+02:00\n`;
    const reading = await (await folderOf(csv)).read(null);
    expect(reading.ok && reading.items.map((item) => item.inventoryType)).toEqual([
      "ctv",
      "video",
      "native",
      "mobile_app",
      "linear_tv",
      "display",
      "linear_tv",
    ]);
    expect(reading.ok && reading.items[0]?.changedAt).toBe("2027-01-01T10:00:00.000Z");
    expect(reading.ok && reading.items[6]?.changedAt).toBe("2027-01-09T08:00:00.000Z");
  });

  test("a bad row is left out and named by its line, the others count", async () => {
    const csv = `id,name\n1,Good\n,No id\n3\n4,"Bad\u0007name"\n5,${"x".repeat(256)}\n6,Also good\n`;
    const reading = await (await folderOf(csv)).read(null);
    expect(idsOf(reading)).toEqual(["1", "6"]);
    expect(reading.ok && reading.warnings).toEqual([
      "Left out line 3: an id of 1 to 128 characters is wanted.",
      "Left out line 4: an object is wanted.",
      "Left out line 5: id and name have no control characters.",
      "Left out line 6: a name of 1 to 255 characters is wanted.",
    ]);
  });

  test("what changed since a time is read alone, with rows that have no time; archived ones are marked", async () => {
    const csv = "id,name,status,updated_at\n1,Old,active,2027-01-01\n2,New,Archived,2027-01-03\n3,Undated,active,\n";
    const reading = await (await folderOf(csv)).read("2027-01-02T00:00:00.000Z");
    expect(reading.ok && reading.items.map(({ itemId, isArchived }) => [itemId, isArchived])).toEqual([
      ["2", true],
      ["3", false],
    ]);
    const all = await (await folderOf(csv, true)).read(null);
    expect(all.ok && all.items.some((item) => item.isArchived)).toBe(false);
  });

  test("a file without the columns, with a quote out of place, or none at all is a failure that says so", async () => {
    expect(idsOf(await (await folderOf("name\nA\n")).read(null))).toEqual([
      "inventory.csv needs the columns id and name.",
    ]);
    expect(idsOf(await (await folderOf('id,name\n1,"A\n')).read(null))[0]).toMatch(/^inventory\.csv, line 2: /);
    const gone = open({ type: "csv", dir: join(tmpdir(), "parley-none-such"), includeArchived: false });
    expect(idsOf(await gone.read(null))).toEqual(["inventory.csv in CSV_DATA_DIR cannot be read (ENOENT)."]);
  });
});

type Handle = (request: IncomingMessage, response: ServerResponse) => void;

const serve = async (handle: Handle): Promise<string> => {
  const server: Server = createServer(handle);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  closing.push(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
};

const json = (response: ServerResponse, body: unknown, status = 200): void => {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
};

const feed = (feedUrl: string, token: string | null = null): AdServer =>
  open({ type: "http", feedUrl, token, includeArchived: false });

describe("ad server: an HTTP feed", () => {
  test("all pages are read with the token, and the feed is asked for what changed", async () => {
    const asked: string[] = [];
    const url = await serve((request, response) => {
      asked.push(`${request.headers.authorization} ${request.url}`);
      const isSecond = request.url?.includes("cursor=two") === true;
      if (isSecond) json(response, { items: [{ item_id: 2, item_name: "Second", type: "ctv" }] });
      else json(response, { items: [{ id: "1", name: "First" }, 7], next_cursor: "two" });
    });
    const reading = await feed(`${url}/inventory?market=de`, "secret-token").read("2027-01-02T00:00:00.000Z");
    expect(idsOf(reading)).toEqual(["1", "2"]);
    expect(reading.ok && reading.warnings).toEqual(["Left out item 2: an object is wanted."]);
    const since = "market=de&updated_since=2027-01-02T00%3A00%3A00.000Z";
    expect(asked).toEqual([
      `Bearer secret-token /inventory?${since}`,
      `Bearer secret-token /inventory?${since}&cursor=two`,
    ]);
  });

  test("a bare list is a feed of one page", async () => {
    const url = await serve((_, response) => json(response, [{ id: "1", name: "A" }]));
    expect(idsOf(await feed(url).read(null))).toEqual(["1"]);
  });

  const failures: readonly (readonly [what: string, handle: Handle, message: RegExp])[] = [
    ["an error", (_, response) => json(response, { error: "down" }, 503), /feed failed: down \(503\)/],
    ["no JSON", (_, response) => void response.end("<html>"), /feed failed: invalid_response/],
    ["another form", (_, response) => json(response, { rows: [] }), /neither a list/],
    ["one page for ever", (_, response) => json(response, { items: [], next_cursor: "a" }), /again and again/],
    ["a broken connection", (_, response) => void response.destroy(), /feed failed: http_error/],
  ];

  test.each(failures)("%s is a failure that says so and holds no credential", async (_, handle, message) => {
    const [text] = idsOf(await feed(await serve(handle), "secret-token").read(null));
    expect(text).toMatch(message);
    expect(text).not.toContain("secret-token");
  });

  test("a redirect to an address that is not public is not followed", async () => {
    const reached: string[] = [];
    const inside = await serve((request, response) => {
      reached.push(String(request.url));
      json(response, []);
    });
    const url = await serve((_, response) => void response.writeHead(302, { location: `${inside}/secrets` }).end());
    expect(idsOf(await feed(url).read(null))[0]).toMatch(/target_not_allowed/);
    expect(reached).toEqual([]);
  });
});
