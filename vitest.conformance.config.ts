import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/conformance/**/*.test.ts"],
    reporters: ["default", "./test/plain-reporter.ts"],
    testTimeout: 120_000,
    maxWorkers: 1,
  },
});
