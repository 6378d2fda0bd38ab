import { readFileSync } from "node:fs";
import type { Examples } from "../../protocol/openapi/openapi.ts";

/** Two folders up from here and from the bundle in dist. */
const file = new URL("../../docs/surface/seller/examples.json", import.meta.url);

/** None where the program was installed without its documents. */
export const sellerExamples = (): Examples => {
  try {
    return JSON.parse(readFileSync(file, "utf8")) as Examples;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return {};
    throw error;
  }
};
