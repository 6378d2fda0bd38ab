import { defineConfig } from "vitest/config";

/** Against a live server: `BUYER_OPERATOR_KEY=… BUYER_URL=… npm run smoke`. */
export default defineConfig({
  test: { include: ["test/smoke/*.smoke.ts"], root: ".", reporters: ["default"], maxWorkers: 1 },
});
