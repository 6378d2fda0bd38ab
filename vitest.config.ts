import { defineConfig } from "vitest/config";

/** What needs neither a server, nor a folder, nor a process of its own. */
const pure = [
  "test/{architecture,coverage,surface}.test.ts",
  "test/machines/**/*.test.ts",
  "test/neutral/**/*.test.ts",
  "test/storage/{audit,lowdb-rows,memory-contract,slots,sorted-rows}.test.ts",
];
const store = ["test/storage/**/*.test.ts"];
const edge = ["test/edge/**/*.test.ts"];
const processes = ["test/{cli,docs,processes,spec}/**/*.test.ts"];
const notTests = ["test/simulation/**", "test/bench/**"];

const limits = { testTimeout: 60_000, hookTimeout: 120_000 };
const quiet = "./test/quiet.ts";
/** Fails a file whose agents answered, logged or stored what they should not have; other projects serve no agent. */
const secrecy = "./test/secrecy/setup.ts";

const project = (name: string, include: readonly string[], exclude: readonly string[], setupFiles: string[]) => ({
  test: { name, include: [...include], exclude: [...notTests, ...exclude], setupFiles, ...limits },
});

export default defineConfig({
  test: {
    reporters: ["default", "./test/plain-reporter.ts"],
    globalSetup: ["./test/storage/postgres-setup.ts"],
    silent: "passed-only",
    maxWorkers: 2,
    projects: [
      { test: { ...project("pure", pure, [], [quiet]).test, isolate: false } },
      project("doors", ["test/**/*.test.ts"], [...pure, ...store, ...edge, ...processes], [quiet, secrecy]),
      project("store", store, pure, [quiet]),
      project("edge", edge, [], [quiet]),
      project("processes", processes, [], [quiet, secrecy]),
    ],
  },
});
