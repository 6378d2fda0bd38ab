import { afterEach, beforeAll, test } from "vitest";
import { buildProduct } from "../cli/program.ts";
import { cleanUp, killedAfter } from "./killed-sample.ts";

beforeAll(buildProduct);
afterEach(cleanUp);

test.each([0, 160, 550])(
  "all: killed %i ms after its buyer listens, the next start shows the finished booking, and so does the one after it",
  killedAfter,
  180_000,
);
