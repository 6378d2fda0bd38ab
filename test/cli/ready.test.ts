import { spawn, spawnSync } from "node:child_process";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

const script = join(import.meta.dirname, "../../.ci/ready.mjs");
let root: string;
let lock: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "parley-ready-"));
  lock = join(root, ".parley-install.lock");
  mkdirSync(join(root, ".ci"));
  copyFileSync(script, join(root, ".ci/ready.mjs"));
  writeFileSync(join(root, "package-lock.json"), "{}");
  writeFileSync(join(root, "package.json"), JSON.stringify({ engines: { node: ">=20.19" } }));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

/** No npm is found on this path, so that every installation fails at once. */
const options = { encoding: "utf8", timeout: 30_000, env: { PATH: join(tmpdir(), "nowhere") } } as const;
const run = () => spawnSync(process.execPath, [join(root, ".ci/ready.mjs"), "start"], options);
const notInstalled = "parley: the packages could not be installed (";

describe("making a checkout ready", () => {
  it("a Node that is too old is told, with the one that is needed", () => {
    writeFileSync(join(root, "package.json"), JSON.stringify({ engines: { node: ">=99.1" } }));
    const { status, stderr } = run();
    expect([status, stderr]).toEqual([
      1,
      `parley: Node 99.1 or newer is needed, and this is ${process.versions.node}.\n`,
    ]);
  });

  it("packages that cannot be installed are told in a line, without a stack, and the lock is let go", () => {
    const { status, stderr } = run();
    expect(status).toBe(1);
    expect(stderr).toContain(notInstalled);
    expect(stderr).not.toMatch(/^ +at /m);
    expect(existsSync(lock)).toBe(false);
  });

  it("a lock that a killed process left does not hold the next one up, named or not", () => {
    mkdirSync(lock);
    utimesSync(lock, 0, 0);
    expect(run().stderr).toContain(notInstalled);
    mkdirSync(lock);
    const ended = spawnSync(process.execPath, ["--version"]).pid;
    writeFileSync(join(lock, "pid"), String(ended));
    expect(run().stderr).toContain(notInstalled);
  });

  it("who waits for another installation says so", async () => {
    mkdirSync(lock);
    writeFileSync(join(lock, "pid"), String(process.pid));
    const child = spawn(process.execPath, [join(root, ".ci/ready.mjs"), "start"], { env: options.env });
    const said = await new Promise<string>((resolve) =>
      child.stderr.setEncoding("utf8").once("data", (text: string) => resolve(text)),
    );
    child.kill();
    expect(said).toContain(`waiting for process ${process.pid}`);
    expect(readFileSync(join(lock, "pid"), "utf8")).toBe(String(process.pid));
  });
});
