import { describe } from "vitest";
import { testDialogues } from "./dialogues.ts";

describe("dialogues of buyers", () => testDialogues("dialogues.json"));
