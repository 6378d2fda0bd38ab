import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { LEAST_CONFIG } from "../edge/harness/least-config.ts";
import { covers } from "../requirements.ts";
import { buildProduct, parley, startParley } from "./program.ts";

const root = mkdtempSync(join(tmpdir(), "parley-edge-cli-"));
const folder = (name: string): string => join(root, name);
const write = (name: string, text: string): string => {
  const file = folder(name);
  writeFileSync(file, text, { mode: 0o600 });
  return file;
};
const urlOf = (out: string): string => /listening on (http:\S+)/.exec(out)?.[1] ?? "";

const SECRET = "a value that no log and no answer may ever show";
const secrets = write(
  "secrets.json",
  JSON.stringify({ "proxy-entry": SECRET, "passphrase-entry": SECRET, "admin-entry": SECRET }),
);

beforeAll(buildProduct);
afterAll(() => rmSync(root, { recursive: true, force: true }));

describe("parley edge with a configuration that cannot be used", () => {
  const broken = LEAST_CONFIG.replace('domain = "pub.example"\n', "").replace("[ec]", "[ec]\nsurprise = 1");
  const provider = '[auction.providers.pbs]\nprotocol = "openrtb-2.6"\nendpoint = "pbs.example"\n';
  const config = write("broken.toml", `${broken}\n${provider}`);

  it.each(["A", "B", "C", "D"])(
    "%s serves its error, and only the log names the keys and the cures",
    async (letter) => {
      const files = ["--config", config, "--secrets", secrets, "--data", join(root, `data-${letter}`)];
      const edge = startParley(["edge", "--port", "0", "--runtime", letter, ...files]);
      await edge.until("listening on");
      const answer = await fetch(`${urlOf(edge.out())}/any`);
      const text = `${await answer.text()}${JSON.stringify([...answer.headers])}`;
      expect(answer.status).toBe(letter === "D" ? 503 : 500);
      expect(text).not.toMatch(/domain|surprise|pbs|endpoint|toml/);
      expect(await edge.stop("SIGTERM")).toBe(0);
      const lines = edge.err().match(/^\{.*"startup_error".*\}$/gm) ?? [];
      const said = lines.map((line) => JSON.parse(line) as { key: string; message: string });
      expect(said.map(({ key, message }) => `${key}: ${message}`).toSorted()).toEqual([
        expect.stringMatching(/^auction\.providers\.pbs\.endpoint: .*must be an absolute HTTPS URL/),
        "ec.surprise: unknown key; check its spelling or remove it",
        "publisher.domain: missing required field; add it",
      ]);
      expect(edge.err()).not.toContain(SECRET);
    },
  );

  it("files that are not there are stores that were not found", async () => {
    covers("edge.errors.store-not-found");
    const missing = join(root, "missing");
    const noConfig = parley(["edge", "check", missing]);
    expect([noConfig.code, noConfig.out]).toEqual([
      1,
      "error: --config: config store not found; create the configuration file and name it with --config\n" +
        "the configuration cannot be used\n",
    ]);
    const noSecrets = parley(["edge", "check", write("good.toml", LEAST_CONFIG), "--secrets", missing]);
    expect(noSecrets.code).toBe(1);
    expect(noSecrets.out).toMatch(
      /^error: --secrets: secret store not found; create the file and name it with --secrets/,
    );
  });
});

describe("the files of a start", () => {
  const good = write("whole.toml", LEAST_CONFIG);

  it.each([
    [["--config", folder("none.toml"), "--secrets", secrets], "--config: .*none\\.toml is not there"],
    [["--config", good, "--secrets", folder("none.json")], "--secrets: .*none\\.json is not there"],
    [["--config", root, "--secrets", secrets], "--config: .* is no file"],
  ])("without one nothing is served: %j", (files, words) => {
    const said = parley(["edge", "--port", "0", "--data", folder("unused"), ...files]);
    expect([said.code, said.out]).toEqual([1, ""]);
    expect(said.err).toMatch(new RegExp(`^parley: ${words}[^]*docs/edge\\.md`));
    expect(existsSync(folder("unused"))).toBe(false);
  });

  it("secrets that all users of the machine can read are told, with the cure", () => {
    const open = write("open.json", JSON.stringify({ "proxy-entry": SECRET, "passphrase-entry": SECRET }));
    chmodSync(open, 0o644);
    const said = parley(["edge", "check", good, "--secrets", open]);
    expect(said.out).toContain(
      `warning: --secrets: all users of this machine can read or write ${open}; run: chmod o=`,
    );
    chmodSync(open, 0o640);
    expect(parley(["edge", "check", good, "--secrets", open]).out).not.toContain("all users");
  });
});

describe("parley edge check", () => {
  it("says what a file changes against another, and ends well when it can be used", () => {
    const closed = `${LEAST_CONFIG}\n[proxy]\nallowed_domains = ["cdn.example"]\n`;
    const old = write("old.toml", closed);
    const fresh = write("fresh.toml", `${closed}\n[auction]\nenabled = true\ntimeout_ms = 900\n`);
    const said = parley(["edge", "check", fresh, "--against", old, "--secrets", secrets], {
      TRUSTED_SERVER__AUCTION__TIMEOUT_MS: "800",
    });
    expect(said).toEqual({
      code: 0,
      err: "",
      out: [
        `settings that differ from ${old}:`,
        "~ auction.enabled = false -> true",
        "~ auction.timeout_ms = 2000 -> 800",
        "the configuration can be used",
        "",
      ].join("\n"),
    });
    expect(said.out).not.toContain(SECRET);
  });

  it("judges for the runtime that is named", () => {
    const one = (id: string) =>
      `[auction.providers.${id}]\nprotocol = "openrtb-2.6"\nendpoint = "https://${id}.example/"\n`;
    const two = write("two.toml", `${LEAST_CONFIG}\n[auction]\nenabled = true\n${one("a")}${one("b")}`);
    expect(parley(["edge", "check", two, "--runtime", "B"]).code).toBe(0);
    const single = parley(["edge", "check", two, "--runtime", "C"]);
    expect([single.code, single.out]).toEqual([1, expect.stringContaining("error: auction.providers: ")]);
  });
});

describe("parley edge new and dev", () => {
  it("a written application is served, on 127.0.0.1 and by default on 8787", async () => {
    covers("edge.example.listens");
    const dir = folder("greeter");
    expect(parley(["edge", "new", "greeter", "--dir", dir]).code).toBe(0);
    expect(parley(["edge", "dev", "--help"]).out).toContain("port to listen on (default 8787)");
    const app = startParley(["edge", "dev", "--dir", dir, "--port", "0"], { HOST: "" });
    await app.until("listening on");
    expect(app.out()).toMatch(/^listening on http:\/\/127\.0\.0\.1:\d+\n$/);
    expect(await (await fetch(`${urlOf(app.out())}/echo/Ada`)).text()).toBe("Hello, Ada!");
    expect(await app.stop("SIGTERM")).toBe(0);
  });

  it.each([
    ["new with a name that is none", ["new", "Bad Name", "--dir", folder("fresh")], "is no application name"],
    ["new in a folder that holds something", ["new", "again", "--dir", folder("broken")], "is not empty"],
    ["dev where no application is", ["dev", "--dir", folder("nothing")], "holds no application"],
    ["dev with settings that are no TOML", ["dev", "--dir", folder("broken")], "broken.toml: "],
  ])("%s is told in one line, without a stack", (_, args, text) => {
    mkdirSync(folder("broken"), { recursive: true });
    write("broken/package.json", '{"name":"broken"}');
    write("broken/broken.toml", "[service");
    const said = parley(["edge", ...args]);
    expect([said.code, said.out]).toEqual([1, ""]);
    expect(said.err).toMatch(/^parley: /);
    expect(said.err).toContain(text);
    expect(said.err).not.toMatch(/^ +at /m);
  });
});
