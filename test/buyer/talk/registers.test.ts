import { describe } from "vitest";
import { testDialogues } from "./dialogues.ts";

describe("dialogues of strangers", () => testDialogues("registers.json"));
