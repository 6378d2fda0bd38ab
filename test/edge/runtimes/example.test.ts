import { execFile } from "node:child_process";
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { newEdgeApp, startEdgeApp, type EdgeAppServer } from "../../../agents/edge/runtimes/example/commands.ts";
import { nodeTraits } from "../../../agents/edge/runtimes/node/entry.ts";
import { startupWarnings } from "../../../agents/edge/startup/checks.ts";
import { loadConfig } from "../../../agents/edge/startup/load.ts";
import { covers } from "../../requirements.ts";
import { call } from "../harness/client.ts";

describe("the scaffolded example application", () => {
  let folder: string;
  let dir: string;
  let server: EdgeAppServer;
  const send = (path: string, method = "GET", body?: string) =>
    call(server.url, { method, path, ...(body === undefined ? {} : { body }) });

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "parley-app-"));
    dir = join(folder, "greeter");
    await newEdgeApp({ name: "greeter", dir });
    server = await startEdgeApp({ dir, port: 0, host: "127.0.0.1" });
  });
  afterAll(async () => {
    await server.close();
    await rm(folder, { recursive: true, force: true });
  });

  test("the generated files are the ones that a person keeps", async () => {
    expect((await readdir(dir)).toSorted()).toEqual([
      ".gitignore",
      "README.md",
      "app.js",
      "app.test.js",
      "greeter.toml",
      "package.json",
      "secrets.json",
      "trusted-server.toml",
    ]);
    expect(await readFile(join(dir, "README.md"), "utf8")).toContain("parley edge dev --dir .");
  });

  test("its edge starts without a warning, its proxy closed but for a list", async () => {
    const [configText, secretsText] = await Promise.all(
      ["trusted-server.toml", "secrets.json"].map((file) => readFile(join(dir, file), "utf8")),
    );
    const loaded = loadConfig(
      { configText: configText ?? "", secretsText: secretsText ?? "", environment: {} },
      nodeTraits,
    );
    expect(loaded).toMatchObject({
      ok: true,
      config: { proxy: { allowed_domains: ["pub.example", "*.pub.example"] } },
    });
    expect(loaded.ok && [...loaded.ignored, ...startupWarnings(loaded.config)]).toEqual([]);
    expect((await stat(join(dir, "secrets.json"))).mode & 0o777).toBe(0o600);
    expect(await readFile(join(dir, ".gitignore"), "utf8")).toContain("secrets.json");
  });

  test("its own tests pass", async () => {
    const { stdout } = await promisify(execFile)(process.execPath, ["--test", dir], {
      env: { PATH: process.env.PATH ?? "", NODE_OPTIONS: "" },
    });
    expect(stdout).toMatch(/# pass 3/);
  });

  test("GET / names the application", async () => {
    covers("edge.example.root");
    const got = await send("/");
    expect([got.status, got.body.toString()]).toEqual([200, "greeter app"]);
    expect(got.headers["content-type"]).toBe("text/plain; charset=utf-8");
    expect(got.headers["content-length"]).toBe("11");
  });

  test("GET /echo/{name} greets with the decoded part of the path", async () => {
    covers("edge.example.echo-name");
    expect((await send("/echo/Ada")).body.toString()).toBe("Hello, Ada!");
    expect((await send("/echo/Zo%C3%AB%20B")).body.toString()).toBe("Hello, Zoë B!");
  });

  test("POST /echo greets the name of a JSON body and refuses any other", async () => {
    covers("edge.example.echo-post");
    expect((await send("/echo", "POST", '{"name":"Ada"}')).body.toString()).toBe("Hello, Ada!");
    for (const body of ["{", "{}", '{"name":1}', "null", ""]) {
      const got = await send("/echo", "POST", body);
      expect([body, got.status]).toEqual([body, 400]);
      expect(JSON.parse(got.body.toString())).toMatchObject({ error: { status: 400, kind: "bad_request" } });
    }
  });

  test("headers and stream", async () => {
    expect((await send("/headers")).body.toString()).toBe("ua=(unknown)");
    expect((await send("/stream")).body.toString()).toBe("chunk 0\nchunk 1\nchunk 2\n");
  });

  test("what it was started with can be read", async () => {
    expect(JSON.parse((await send("/_greeter/config")).body.toString())).toEqual({
      greeting: "hello from greeter",
      service: { timeout_ms: 1500 },
    });
    expect(JSON.parse((await send("/_greeter/routes")).body.toString())).toEqual([
      { method: "GET", path: "/" },
      { method: "GET", path: "/echo/{name}" },
      { method: "POST", path: "/echo" },
      { method: "GET", path: "/headers" },
      { method: "GET", path: "/stream" },
    ]);
    expect(JSON.parse((await send("/_greeter/manifest")).body.toString())).toMatchObject({ name: "greeter" });
  });

  test("an unknown path is 404 and a wrong method 405, in the framework's shape", async () => {
    const missing = await send("/nowhere");
    expect([missing.status, JSON.parse(missing.body.toString())]).toEqual([
      404,
      { error: { status: 404, kind: "not_found", message: "no route matched path: /nowhere" } },
    ]);
    const wrong = await send("/echo", "DELETE");
    expect([wrong.status, JSON.parse(wrong.body.toString())]).toEqual([
      405,
      { error: { status: 405, kind: "method_not_allowed", message: "method DELETE not allowed; allowed: POST" } },
    ]);
  });

  test("a folder that holds anything, and a bad name, are refused without writing", async () => {
    await expect(newEdgeApp({ name: "other", dir })).rejects.toThrow(/is not empty/);
    await expect(newEdgeApp({ name: "../evil", dir: join(folder, "x") })).rejects.toThrow(/no application name/);
    expect(await readdir(folder)).toEqual(["greeter"]);
  });

  test("a timeout outside 100 to 60000 stops the start", async () => {
    const other = join(folder, "slow");
    await newEdgeApp({ name: "slow", dir: other });
    await writeFile(join(other, "slow.toml"), "[service]\ntimeout_ms = 99\n");
    await expect(startEdgeApp({ dir: other, port: 0, host: "127.0.0.1" })).rejects.toThrow(/slow\.toml/);
    await rm(other, { recursive: true });
  });
});
