import { test } from "vitest";
import { askEverywhere } from "../skills/reads/availability-questions.ts";

test("10,000 questions get one figure in discovery, avails, quote and calendar", () => askEverywhere(10_000));
