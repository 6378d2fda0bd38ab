import { afterEach, beforeAll, test } from "vitest";
import { buildProduct } from "../cli/program.ts";
import { cleanUp, killedAfter } from "../processes/killed-sample.ts";

beforeAll(buildProduct);
afterEach(cleanUp);

test.each([0, 30, 60, 100, 160, 250, 400, 550, 800])("all: killed %i ms after its buyer listens", killedAfter);
