import { z } from "zod";
import type { OperationDialect } from "./dialect.ts";

/** The operation's schema checks the entries. */
const entries = z.array(z.looseObject({}));

/** A rate card that is sent as the bare list of its entries. */
export const rateCardList: OperationDialect = {
  name: "list",
  input: entries,
  member: "entries",
  output: z.looseObject({}),
  selects: (body) => Array.isArray(body),
  readRequest: (body) => ({ entries: body }),
  writeAnswer: (output) => output,
  writeRequest: (input) => (input as { readonly entries: unknown }).entries,
  readAnswer: (body) => body,
};
