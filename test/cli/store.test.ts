import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { buildProduct, parley, parleyWith, type Running, startParley } from "./program.ts";

const root = mkdtempSync(join(tmpdir(), "parley-store-"));
const folder = (name: string): string => join(root, name);

beforeAll(buildProduct);
afterAll(() => rmSync(root, { recursive: true, force: true }));

const urlOf = (running: Running): string => /listening on (\S+)/.exec(running.out())?.[1] ?? "";

const serve = async (dir: string): Promise<Running> => {
  const running = startParley(["seller", "--port", "0", "--data", dir]);
  await running.until("listening on");
  return running;
};

describe("parley store", () => {
  it("backs up a seller under load; what was acknowledged before is in the restored one", async () => {
    const [dir, file, target] = [folder("live"), folder("live.backup"), folder("restored")];
    const live = await serve(dir);
    const quotes: string[] = [];
    const quote = async (): Promise<void> => {
      const body = JSON.stringify({ product_id: "prod-15ba2543", deal_type: "PD", impressions: 100_000 });
      const asked = { method: "POST", headers: { "content-type": "application/json" }, body };
      const answer = await fetch(new URL("/api/v1/quotes", urlOf(live)), asked);
      expect(answer.status).toBe(200);
      quotes.push(((await answer.json()) as { quote_id: string }).quote_id);
    };
    for (let n = 0; n < 20; n += 1) await quote();
    const known = [...quotes];
    let stopped = false;
    const load = (async () => {
      while (!stopped) await quote();
    })();
    const place = ["--agent", "seller", "--data", dir];
    const said = await parleyWith(["store", "backup", file, ...place], "");
    expect(said).toMatchObject({ code: 0, err: "" });
    expect(said.out).toMatch(/live\.backup holds the store of the seller: \d+ bytes, readable by its owner alone\n$/);
    const checked = await parleyWith(["store", "check", ...place], "");
    expect(checked).toMatchObject({ code: 0, err: "" });
    expect(checked.out).toMatch(/ {2}quote +\d+\n.*digest [0-9a-f]{64}\naudit trail whole: \d+ records in 1 chain/s);
    stopped = true;
    await load;
    const refused = await parleyWith(["store", "copy", "--from", `lowdb:${dir}`, "--to", `lowdb:${target}`], "");
    expect(refused.code).toBe(1);
    expect(refused.err).toMatch(/^parley: the data folder .* is in use by process \d+: stop that process/);
    const again = await parleyWith(["store", "backup", file, ...place], "");
    expect(again.code).toBe(1);
    expect(again.err).toMatch(
      /is there already\. Name a new file\. Nothing was left behind, and the store is as it was\.\n$/,
    );
    expect(parley(["store", "restore", file, "--to", `lowdb:${target}`])).toMatchObject({ code: 0, err: "" });
    const copy = await serve(target);
    for (const id of known) {
      expect((await fetch(new URL(`/api/v1/quotes/${id}`, urlOf(copy)))).status, id).toBe(200);
    }
    expect(await copy.stop("SIGTERM")).toBe(0);
    expect(await live.stop("SIGTERM")).toBe(0);
  });

  it.each<readonly [readonly string[], number, RegExp]>([
    [["copy", "--from", "lowdb:nowhere", "--to", "lowdb:there"], 1, /There is no store in the folder .*nowhere/],
    [["copy", "--from", "folder", "--to", "lowdb:there"], 2, /--from: use lowdb:DIR .* or postgres:/],
    [["copy", "--from", "lowdb:", "--to", "lowdb:there"], 2, /--from: use lowdb:DIR/],
    [["copy", "--from", "postgres://h/d", "--to", "lowdb:there"], 2, /--agent: a database may hold both agents/],
    [["copy", "--from", "lowdb:x", "--to", "lowdb:y", "--agent", "vendor"], 2, /neither seller nor buyer/],
    [["copy", "--from", "lowdb:x"], 2, /required option '--to <place>'/],
    [
      ["copy", "--agent", "seller", "--from", "postgres://u:s3cret@127.0.0.1:1/d", "--to", "lowdb:there"],
      1,
      /Cannot reach PostgreSQL at 127\.0\.0\.1:1, .*Start PostgreSQL there, or correct the address\./,
    ],
    [["backup", "x.backup", "--agent", "seller", "--data", "nowhere"], 1, /There is no store in the folder/],
    [["restore", "none.backup", "--to", "lowdb:there"], 1, /There is no file .*none\.backup/],
    [["restore", "none.backup", "--to", "there"], 2, /--to: use lowdb:DIR/],
    [["check", "--agent", "seller", "--data", "nowhere"], 1, /There is no store in the folder/],
  ])("called as %j it ends with %i, says the cure and makes nothing", (args, code, words) => {
    const inside = args.map((arg) => arg.replace(/^lowdb:(?=.)/, `lowdb:${root}/`));
    const said = parley(["store", ...inside.map((arg) => (arg === "nowhere" ? folder(arg) : arg))]);
    expect(said).toMatchObject({ code, out: "" });
    expect(said.err).toMatch(words);
    expect(said.err).not.toContain("s3cret");
    for (const name of ["nowhere", "x", "y"]) expect(existsSync(folder(name))).toBe(false);
  });

  it("migrate says what it did, and what there is nothing to do about", () => {
    const [from, to] = [folder("live"), folder("moved")];
    expect(parley(["store", "copy", "--from", `lowdb:${from}`, "--to", `lowdb:${to}`])).toMatchObject({ code: 0 });
    const said = parley(["migrate", "--agent", "seller", "--data", to]);
    expect(said).toMatchObject({ code: 0, err: "" });
    expect(said.out).toMatch(/^rows: format (\d+), was \1; 0 written anew\nthe folder .*moved is as this version/);
    expect(parley(["migrate", "--agent", "seller", "--data", folder("none")])).toMatchObject({ code: 1, out: "" });
    const whole = parley(["store", "check", "--agent", "seller", "--data", to]);
    expect(whole.out).toMatch(/audit trail whole: \d+ records in 2 chain/);
  });
});
