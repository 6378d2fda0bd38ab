import type { CallToolResult, ElicitRequestFormParams } from "@modelcontextprotocol/server";
import { isMembers } from "../../protocol/neutral/json-input.ts";
import { isRefusal } from "../../protocol/neutral/refusals.ts";
import { accessRefusal } from "../../protocol/seam/run/gates.ts";
import type { Contract } from "../../protocol/seam/operation.ts";
import { unknownArguments } from "../calls/arguments.ts";
import { runTool, type ToolParts } from "../calls/call.ts";
import { compactSchema } from "../listing.ts";
import type { Members, Request } from "./surface.ts";

export interface Asking {
  /** In units of the deal's currency; null: bookings are not confirmed. */
  readonly confirmAbove: number | null;
}

type Given = { readonly args: unknown } | { readonly refused: CallToolResult };

/** They commit money, and their dry run tells how much, as `total_cost`. */
const bookings = ["book_deal", "generate_deal", "create_booking", "approve_booking", "approve_all_bookings"];

const canAsk = (request: Request): boolean => request.canAsk("elicitation/create");

type FormSchema = ElicitRequestFormParams["requestedSchema"];

const simpleTypes = ["string", "number", "integer", "boolean"];

/** What a form cannot ask for (lists, objects) is left to the refusal. Null: nothing to ask. */
const formFor = (contract: Contract, parts: ToolParts, args: Members): FormSchema | null => {
  const schema = parts.catalog.entries.find(({ name }) => name === contract.name)?.inputSchema;
  const required = (schema?.["required"] as string[] | undefined) ?? [];
  const missing = required.filter((name) => args[name] === undefined);
  const properties = Object.fromEntries(
    missing.map((name) => [name, compactSchema((schema?.["properties"] as Members | undefined)?.[name]) as Members]),
  );
  const isSimple = Object.values(properties).every(({ type }) => simpleTypes.includes(String(type)));
  if (missing.length === 0 || missing.length > 4 || !isSimple) return null;
  const fields = Object.entries(properties).map(([name, { type, description, enum: choices }]) => [
    name,
    { type, description, ...(choices === undefined ? {} : { enum: choices }) },
  ]);
  return { type: "object", properties: Object.fromEntries(fields) as FormSchema["properties"], required: missing };
};

/** Null: the person did not accept. `key` names the question within the call. */
const elicited = async (
  { ask }: Request,
  key: string,
  message: string,
  requestedSchema: FormSchema,
): Promise<Members | null> => {
  const question = { method: "elicitation/create", params: { mode: "form", message, requestedSchema } } as const;
  const { action, content } = (await ask({ [key]: question }))[key] ?? {};
  return action === "accept" && isMembers(content) ? content : null;
};

/** A person fills in what an assistant left out. A misspelled argument is the assistant's to mend. */
const completedArguments = async (parts: ToolParts, contract: Contract, args: Members, request: Request) => {
  if (!canAsk(request) || unknownArguments(contract, args).length > 0) return args;
  const form = formFor(contract, parts, args);
  const caller = await request.from.admission.who();
  if (form === null || isRefusal(caller) || accessRefusal(contract, caller) !== null) return args;
  const title = contract.tool?.title ?? contract.name;
  const content = await elicited(request, "missing", `${title}: please fill in what is missing.`, form);
  return { ...args, ...content };
};

const refused = (error: string, message: string, more: Members): Given => {
  const body = { detail: message, error, message, cure: message, status: 409, ...more };
  return { refused: { content: [{ type: "text", text: JSON.stringify(body) }], isError: true } };
};

const confirmForm: FormSchema = {
  type: "object",
  properties: { confirm: { type: "boolean", title: "Book it", description: "True books at these terms." } },
  required: ["confirm"],
};

const shown = (value: unknown, otherwise: string): string =>
  typeof value === "string" || typeof value === "number" ? String(value) : otherwise;

const membersOf = (value: unknown): Members => (isMembers(value) ? value : {});

const termsText = ({ product, pricing, terms, total_cost: total }: Members): string => {
  if (product === undefined) return `Book at the sellers for up to ${shown(total, "any number of")} USD?`;
  const { name } = membersOf(product);
  const { final_cpm: cpm, currency } = membersOf(pricing);
  const { impressions, flight_start: from, flight_end: to } = membersOf(terms);
  const money = shown(currency, "");
  return [
    `Book ${shown(name, "this")}: ${shown(impressions, "any number of")} impressions`,
    `at ${shown(cpm, "?")} ${money} per thousand, ${shown(from, "?")} to ${shown(to, "?")},`,
    `${shown(total, "no fixed")} ${money} in total?`,
  ].join(" ");
};

/** Without a client that can ask a person nothing is booked: the limit would be none. */
const confirmed = async (
  parts: ToolParts,
  { confirmAbove }: Asking,
  contract: Contract,
  args: Members,
  request: Request,
): Promise<Given> => {
  if (confirmAbove === null || !bookings.includes(contract.name) || args["dry_run"] === true) return { args };
  const trial = await runTool(parts, contract.name, { ...args, dry_run: true }, request.from);
  if (trial.kind !== "done" || !isMembers(trial.output)) return { args };
  const { total_cost: total } = trial.output;
  if (typeof total === "number" && total <= confirmAbove) return { args };
  if (!canAsk(request)) {
    const message =
      `A booking above ${confirmAbove} needs a person's confirmation, which this client cannot ask for. ` +
      "Book it with a client that supports elicitation, or over REST.";
    return refused("confirmation_required", message, { total_cost: total });
  }
  const content = await elicited(request, "confirm", termsText(trial.output), confirmForm);
  if (content?.["confirm"] === true) return { args };
  return refused("not_confirmed", "The person did not confirm the booking. Nothing was booked; ask what to change.", {
    total_cost: total,
  });
};

export const asked = async (
  parts: ToolParts & { readonly asking: Asking },
  name: unknown,
  sent: unknown,
  request: Request,
): Promise<Given> => {
  const contract = typeof name === "string" ? parts.catalog.byName.get(name) : undefined;
  if (contract === undefined || (sent !== undefined && !isMembers(sent))) return { args: sent };
  if (!canAsk(request) && parts.asking.confirmAbove === null) return { args: sent };
  const args = await completedArguments(parts, contract, sent ?? {}, request);
  return confirmed(parts, parts.asking, contract, args, request);
};
