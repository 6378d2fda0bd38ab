import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/simulation/**/*.sim.ts"],
    reporters: ["default", "./test/plain-reporter.ts"],
    globalSetup: ["./test/storage/postgres/setup.ts"],
    testTimeout: 3_600_000,
    hookTimeout: 120_000,
    maxWorkers: 2,
  },
});
