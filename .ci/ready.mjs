// Makes the checkout ready to run: installs what the named set needs ("start": what the product runs, bundler included;
// "test": everything) and builds dist/. Only built-ins, because it runs before anything is installed.
// It adds and never wipes, so a server that runs from the same checkout keeps its files. All output goes to stderr.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const stampFile = join(root, "node_modules", ".parley-ready.json");
const lockDir = join(root, ".parley-install.lock");
const wanted = process.argv[2] === "test" ? "test" : "start";
const hash = createHash("sha256")
  .update(readFileSync(join(root, "package-lock.json")))
  .digest("hex");

const tell = (text) => process.stderr.write(`parley: ${text}\n`);

const readJson = (file) => {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch {
    return {};
  }
};

const isReady = () => {
  const stamp = readJson(stampFile);
  return stamp.hash === hash && (stamp.set === "test" || stamp.set === wanted);
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

/** A killed process leaves its lock, and in a container the next one may have the same number. */
const isLeft = (pid) =>
  pid > 0
    ? pid === process.pid || !isAlive(pid)
    : Date.now() - (statSync(lockDir, { throwIfNoEntry: false })?.mtimeMs ?? 0) > namelessMs;

const takeLock = () => {
  for (let told = false; ;) {
    try {
      mkdirSync(lockDir);
      writeFileSync(join(lockDir, "pid"), String(process.pid));
      return;
    } catch (error) {
      if (error.code !== "EEXIST") throw error;
      const pid = Number(readFileSyncOr(join(lockDir, "pid")));
      if (isLeft(pid)) {
        rmSync(lockDir, { recursive: true, force: true });
        continue;
      }
      if (!told && pid > 0) tell(`waiting for process ${pid}, which installs packages; else remove ${lockDir}`);
      told ||= pid > 0;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200);
    }
  }
};

const readFileSyncOr = (file) => {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
};

const run = (command, args) =>
  execFileSync(command, args, {
    cwd: root,
    stdio: ["ignore", 2, 2],
    env: { ...process.env, npm_config_loglevel: "warn", NODE_ENV: "" },
    shell: process.platform === "win32",
  });

const install = () => {
  tell("installing packages (once)");
  const keepsTests = readJson(stampFile).set === "test" || wanted === "test";
  const set = keepsTests ? "--include=dev" : "--omit=dev";
  run("npm", ["install", "--no-save", "--no-audit", "--no-fund", set]);
  writeFileSync(stampFile, JSON.stringify({ hash, set: keepsTests ? "test" : "start" }));
};

const least = /[\d.]+/.exec(readJson(join(root, "package.json")).engines.node)[0];
if (process.versions.node.localeCompare(least, "en", { numeric: true }) < 0) {
  tell(`Node ${least} or newer is needed, and this is ${process.versions.node}.`);
  process.exit(1);
}
if (!isReady()) {
  try {
    takeLock();
    try {
      if (!isReady()) install();
    } finally {
      rmSync(lockDir, { recursive: true, force: true });
    }
  } catch (error) {
    tell(`the packages could not be installed (${error.message}). Check the network, and that ${root} can be written.`);
    process.exit(1);
  }
}
const { build } = await import("./build.mjs");
await build(root);
