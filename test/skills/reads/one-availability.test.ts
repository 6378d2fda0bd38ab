import { test } from "vitest";
import { askEverywhere } from "./availability-questions.ts";

test("2,000 questions get one figure in discovery, avails, quote and calendar", () => askEverywhere(2_000));
