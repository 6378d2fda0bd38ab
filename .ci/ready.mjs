// Makes the checkout ready to run: installs what the named set needs ("start": what the product runs, bundler included;
// "test": everything) and builds dist/. Only built-ins, because it runs before anything is installed.
// It adds and never removes, so a server that runs from the same checkout keeps its files. All output goes to stderr.
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const lockDir = join(root, ".parley-install.lock");
const wantsTests = process.argv[2] === "test";

const print = (text) => process.stderr.write(`parley: ${text}\n`);

const readText = (file) => {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
};

const readJson = (file) => {
  try {
    return JSON.parse(readText(file));
  } catch {
    return {};
  }
};

/** The packages of a lock file by their folders, the root itself left out. */
const packagesOf = (file) => Object.entries(readJson(file).packages ?? {}).filter(([folder]) => folder !== "");

/** npm writes this file after it has put every package in its place. */
const installed = () => new Map(packagesOf(join(root, "node_modules", ".package-lock.json")));

const isThere = (folder) => existsSync(join(root, folder, "package.json"));

/** Optional packages may be for another platform: npm decides about those. */
const isReady = () => {
  const have = installed();
  return packagesOf(join(root, "package-lock.json"))
    .filter(([, { dev, optional, devOptional }]) => !optional && !devOptional && (wantsTests || !dev))
    .every(([folder, { version }]) => have.get(folder)?.version === version && isThere(folder));
};

const isAlive = (pid) => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === "EPERM";
  }
};

/** How long a lock may be without the process that takes it. */
const namelessMs = 5000;

/**
 * The processes that hold the lock: the installing script, and its npm, which outlives a killed script. In a container
 * the next process may have the number of a dead one.
 */
const holders = () =>
  readText(join(lockDir, "pid"))
    .split("\n")
    .map(Number)
    .filter((pid) => pid > 0);

const isAbandoned = (pids) =>
  pids.length > 0
    ? pids.every((pid) => pid === process.pid || !isAlive(pid))
    : Date.now() - (statSync(lockDir, { throwIfNoEntry: false })?.mtimeMs ?? 0) > namelessMs;

const writeHolders = (...pids) => writeFileSync(join(lockDir, "pid"), pids.join("\n"));

const takeLock = async () => {
  for (let hasPrinted = false; ;) {
    try {
      mkdirSync(lockDir);
      writeHolders(process.pid);
      return;
    } catch (error) {
      if (error.code !== "EEXIST") throw error;
      const pids = holders();
      if (isAbandoned(pids)) {
        rmSync(lockDir, { recursive: true, force: true });
        continue;
      }
      const pid = pids.find(isAlive);
      if (!hasPrinted && pid) print(`waiting for process ${pid}, which installs packages; else remove ${lockDir}`);
      hasPrinted ||= pid !== undefined;
      await sleep(200);
    }
  }
};

/** Runs npm to its end: a signal is passed on, and this process exits only after npm has. */
const npm = (args) =>
  new Promise((resolve, reject) => {
    const child = spawn("npm", args, {
      cwd: root,
      stdio: ["ignore", 2, 2],
      env: { ...process.env, npm_config_loglevel: "warn", NODE_ENV: "" },
      shell: process.platform === "win32",
    });
    child.once("spawn", () => writeHolders(process.pid, child.pid));
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
    child.once("error", reject);
    child.once("exit", (code, signal) => {
      if (code === 0) return resolve();
      reject(new Error(signal === null ? `npm ended with code ${code}` : `npm was ended by ${signal}`));
    });
  });

/** Dev packages that are there stay: npm removes what the set it installs does not name. */
const install = () => {
  print("installing packages (once)");
  const keepsDev = wantsTests || [...installed().values()].some(({ dev }) => dev);
  return npm(["install", "--no-save", "--no-audit", "--no-fund", keepsDev ? "--include=dev" : "--omit=dev"]);
};

const least = /[\d.]+/.exec(readJson(join(root, "package.json")).engines.node)[0];
if (process.versions.node.localeCompare(least, "en", { numeric: true }) < 0) {
  print(`Node ${least} or newer is needed, and this is ${process.versions.node}.`);
  process.exit(1);
}
if (!isReady()) {
  try {
    await takeLock();
    try {
      if (!isReady()) await install();
    } finally {
      rmSync(lockDir, { recursive: true, force: true });
    }
  } catch (error) {
    print(
      `the packages could not be installed (${error.message}). Check the network, and that ${root} can be written.`,
    );
    process.exit(1);
  }
}
const { build } = await import("./build.mjs");
await build(root);
