import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    exclude: ["test/simulation/**", "test/bench/**"],
    reporters: ["default", "./test/plain-reporter.ts"],
    globalSetup: ["./test/storage/postgres-setup.ts"],
    setupFiles: ["./test/secrecy/setup.ts"],
    testTimeout: 60_000,
    hookTimeout: 120_000,
    maxWorkers: 2,
  },
});
