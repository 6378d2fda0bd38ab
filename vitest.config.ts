import { defineConfig } from "vitest/config";

/** What needs neither a server, nor a folder, nor a process of its own. */
const pure = [
  "test/{architecture,coverage,surface}.test.ts",
  "test/machines/**/*.test.ts",
  "test/neutral/**/*.test.ts",
  "test/storage/{audit,lowdb/rows,memory-contract,migrations,slots,sorted-rows}.test.ts",
];
const store = ["test/storage/**/*.test.ts"];
const edge = ["test/edge/**/*.test.ts"];
const processes = ["test/{cli,docs,processes,spec}/**/*.test.ts"];
/** The kits of others are installed and run by `npm run conformance`. */
const notTests = ["test/simulation/**", "test/bench/**", "test/conformance/adcp/**"];

const quiet = "./test/quiet.ts";
/** Fails a file whose agents answered, logged or stored what they should not have; other projects serve no agent. */
const secrecy = "./test/secrecy/setup.ts";

/** Counts blocks that ran or handles that are open in its process, and must not find those of other files. */
const counted = ["test/{skills,buyer}/growth.test.ts", "test/agents/port.test.ts"];

const project = (
  name: string,
  include: readonly string[],
  more: { exclude?: readonly string[]; setup?: string[] },
) => ({
  test: {
    name,
    include: [...include],
    exclude: [...notTests, ...(more.exclude ?? [])],
    setupFiles: [quiet, ...(more.setup ?? [])],
    testTimeout: 60_000,
    hookTimeout: 120_000,
    // On busy cores a state comes later than in the second that a poll waits by itself.
    expect: { poll: { timeout: 15_000 } },
  },
});

/** Files of such a project share the modules that they load: a file would spend a second or more on loading them. */
const shared = ({ test }: ReturnType<typeof project>) => ({ test: { ...test, isolate: false } });

export default defineConfig({
  test: {
    reporters: ["default", "./test/plain-reporter.ts"],
    globalSetup: ["./test/storage/postgres/setup.ts"],
    silent: "passed-only",
    // Tests wait for a good part of their time: three keep two cores busy.
    maxWorkers: 3,
    projects: [
      shared(project("pure", pure, {})),
      shared(
        project("doors", ["test/**/*.test.ts"], {
          exclude: [...pure, ...store, ...edge, ...processes, ...counted],
          setup: [secrecy],
        }),
      ),
      project("store", store, { exclude: pure }),
      shared(project("edge", edge, {})),
      shared(project("processes", processes, { setup: [secrecy] })),
      project("counted", counted, { setup: [secrecy] }),
    ],
  },
});
