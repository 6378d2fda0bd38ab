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

const writeLock = (name: string, packages: Readonly<Record<string, object>>): void =>
  writeFileSync(join(root, name), JSON.stringify({ packages }));
/** The packages and npm's own list of them. */
const placePackages = (packages: Readonly<Record<string, object>>): void => {
  for (const folder of Object.keys(packages)) {
    mkdirSync(join(root, folder), { recursive: true });
    writeFileSync(join(root, folder, "package.json"), "{}");
  }
  writeLock("node_modules/.package-lock.json", packages);
};

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "parley-ready-"));
  lock = join(root, ".parley-install.lock");
  mkdirSync(join(root, ".ci"));
  copyFileSync(script, join(root, ".ci/ready.mjs"));
  writeLock("package-lock.json", {
    "node_modules/one": { version: "1.0.0" },
    "node_modules/tester": { version: "1.0.0", dev: true },
  });
  writeFileSync(join(root, "package.json"), JSON.stringify({ engines: { node: ">=20.19" } }));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

/** No npm on this path, so that every installation fails at once. */
const options = { encoding: "utf8", timeout: 30_000, env: { PATH: join(tmpdir(), "nowhere") } } as const;
const run = () => spawnSync(process.execPath, [join(root, ".ci/ready.mjs"), "start"], options);

const withNpm = (...lines: string[]) => {
  const folder = join(root, "bin");
  mkdirSync(folder);
  writeFileSync(join(folder, "npm"), ["#!/bin/sh", ...lines, ""].join("\n"), { mode: 0o755 });
  return { ...options, env: { PATH: `${folder}:${process.env["PATH"]}` } };
};
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

  it("packages that are there are not installed again, whoever installed them", () => {
    placePackages({ "node_modules/one": { version: "1.0.0" } });
    expect(run().stderr).not.toContain(notInstalled);
  });

  it("a package that was removed, or has another version, is installed again", () => {
    placePackages({ "node_modules/one": { version: "1.0.0" } });
    rmSync(join(root, "node_modules/one"), { recursive: true });
    expect(run().stderr).toContain(notInstalled);
    placePackages({ "node_modules/one": { version: "0.9.0" } });
    expect(run().stderr).toContain(notInstalled);
  });

  it("dev packages that are there stay", () => {
    placePackages({ "node_modules/tester": { version: "1.0.0", dev: true } });
    spawnSync(process.execPath, [join(root, ".ci/ready.mjs"), "start"], withNpm('echo "$@" > arguments'));
    expect(readFileSync(join(root, "arguments"), "utf8")).toContain("--include=dev");
  });

  it("a stop reaches npm and waits for its end, and the lock is released", async () => {
    const npm = ["trap 'sleep 0.5; touch ended; exit 1' TERM", "touch started", "while :; do sleep 0.05; done"];
    const child = spawn(process.execPath, [join(root, ".ci/ready.mjs"), "start"], withNpm(...npm));
    await expect.poll(() => existsSync(join(root, "started")), { timeout: 20_000 }).toBe(true);
    child.kill("SIGTERM");
    const code = await new Promise((resolve) => child.once("exit", resolve));
    expect([code, existsSync(join(root, "ended")), existsSync(lock)]).toEqual([1, true, false]);
  });

  it("the npm of a killed script still holds the lock", async () => {
    mkdirSync(lock);
    const ended = spawnSync(process.execPath, ["--version"]).pid;
    writeFileSync(join(lock, "pid"), `${ended}\n${process.pid}`);
    const child = spawn(process.execPath, [join(root, ".ci/ready.mjs"), "start"], { env: options.env });
    const printed = await new Promise<string>((resolve) =>
      child.stderr.setEncoding("utf8").once("data", (text: string) => resolve(text)),
    );
    child.kill();
    expect(printed).toContain(`waiting for process ${process.pid}`);
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
