import type { ModelCall, ModelReading } from "../../talk/model/model-reader.ts";
import { entitiesOf } from "../../talk/reader/entity.ts";
import { scanOf } from "../../talk/reader/entities.ts";
import type { ProductFinder } from "../../talk/reader/names/product-finder.ts";
import { commands } from "./commands.ts";
import { flightNames, numberIn, pick, productIdsOf, sizeNames, type Slots } from "./memory.ts";
import type { Request } from "./requests.ts";
import { type Said, saidBy } from "./said.ts";
import { ask, clarify, type Skill, type Spoken, type Talk } from "./spoken.ts";
import { figuresText } from "./wording.ts";

/** The command that answers an operation by these fields of its input; with others the operation is called as it is. */
const rows: Readonly<Record<string, readonly [command: string, ...fields: readonly string[]]>> = {
  list_products: ["list"],
  discover_inventory: ["list", "query"],
  get_product: ["describe", "product_id"],
  check_avails: ["availability", "product_id", "start_date", "end_date", "requestedImpressions", "budget"],
  get_pricing: ["price", "product_id", "volume"],
  get_rate_card: ["rate_card"],
  request_quote: ["quote", "product_id", "deal_type", ...sizeNames, "budget", "target_cpm", "currency"],
  get_quote: ["status", "quote_id"],
  get_proposal: ["status", "proposal_id"],
  get_negotiation_status: ["status", "negotiation_id"],
  get_deal: ["status", "deal_id"],
  get_change_request: ["status", "cr_id"],
  list_deals: ["deals", "product_id", "flight_from", "flight_to"],
  list_quotes: ["quotes", "product_id"],
  list_proposals: ["proposals"],
  list_negotiations: ["negotiations"],
  list_change_requests: ["changes"],
  list_packages: ["packages"],
  get_media_kit: ["media_kit"],
  list_handovers: ["answered"],
  book_deal: ["book", "quote_id"],
  generate_deal: ["book", "proposal_id"],
  submit_proposal: ["propose", "product_id", "deal_type", "price", "impressions", "start_date", "end_date", "currency"],
  cancel_deal: ["cancel", "deal_id"],
  change_deal: ["change", "deal_id", "impressions"],
  reschedule_deal: ["change", "deal_id", ...flightNames],
  withdraw_proposal: ["withdraw", "proposal_id"],
  withdraw_change_request: ["withdraw", "cr_id"],
  request_handover: ["hand_over", "words"],
};

/** Those that a conversation may call for these replies. */
export const answeredOperations: readonly string[] = Object.keys(rows);

const bargain = ["action", "negotiation_id", "quote_id", "proposal_id", "buyer_price", "currency"] as const;

/** A last offer and a refusal are the operation's own; what a public caller may not do is said at once. */
const rowOf = ({ operation, input }: ModelCall): readonly string[] | undefined => {
  if (operation !== "negotiate") return rows[operation];
  const { action } = input;
  return action === "counter" ? ["offer", ...bargain] : action === "accept" ? ["accept", ...bargain] : undefined;
};

const commandOf = (call: ModelCall): string | null => {
  const [command, ...fields] = rowOf(call) ?? [];
  const isWhole = call.dropped.length === 0 && Object.keys(call.input).every((name) => fields.includes(name));
  return command !== undefined && isWhole ? command : null;
};

const names: Readonly<Record<string, string>> = {
  start_date: "flight_start",
  flight_from: "flight_start",
  end_date: "flight_end",
  flight_to: "flight_end",
  volume: "impressions",
  requestedImpressions: "impressions",
  price: "target_cpm",
  buyer_price: "target_cpm",
};

const terms = ["product_id", "deal_type", "impressions", "budget", ...flightNames, "target_cpm"];
const ids = ["quote_id", "proposal_id", "negotiation_id", "deal_id", "cr_id"];

const renamed = (input: Slots): Slots =>
  Object.fromEntries(Object.entries(input).map(([name, value]) => [names[name] ?? name, value]));

/** What a call is given for, by the names of the conversation. */
export const termsOfCall = ({ call }: Request): Slots =>
  call === undefined || commandOf(call) === null ? {} : pick(renamed(call.input), [...terms, ...ids]);

interface Known {
  readonly finder: ProductFinder;
  readonly nowMs: number;
}

const saidIn = (input: Slots, { finder, nowMs }: Known): Said => {
  const { query } = input;
  const said = saidBy(typeof query === "string" ? entitiesOf(scanOf(query, finder, nowMs)) : []);
  const own = renamed(input);
  const named = pick(own, ids);
  const products = productIdsOf(own).map((id) => ({
    kind: "product" as const,
    ids: [id],
    inventoryType: null,
    isExact: true,
    isExcluded: false,
    isEveryday: false,
    from: 0,
    to: 0,
  }));
  return {
    ...said,
    products: [...said.products, ...products],
    volumes: [numberIn(own["impressions"])].filter((one) => one !== null),
    price: numberIn(own["target_cpm"]),
    budget: numberIn(own["budget"]),
    currency: typeof own["currency"] === "string" ? own["currency"] : null,
    flight: pick(own, flightNames),
    dealTypes: typeof own["deal_type"] === "string" ? [own["deal_type"]] : [],
    ids: named,
    allIds: Object.values(named).map(String),
  };
};

/** A request for each call, by its checked input alone: no other word of the message changes what it asks for. */
export const requestsOfCalls = ({ calls }: ModelReading, blank: Request, known: Known): readonly Request[] =>
  calls.map((call) => {
    const command = commandOf(call);
    if (command === null) return { ...blank, call };
    const text = command === "hand_over" ? blank.scan.text : "";
    return { ...blank, command, call, text, said: saidIn(call.input, known) };
  });

const skills: ReadonlySet<string> = new Set(["discovery", "pricing", "proposals", "negotiation", "deals"]);

const skillOf = ({ contract: { intent } }: ModelCall): Skill | null =>
  intent !== undefined && skills.has(intent.skill) ? (intent.skill as Skill) : null;

/** By the reply of its command; else a read is called, and what writes is offered with its option's own terms. */
export const answersToCall = async (talk: Talk, call: ModelCall): Promise<readonly Spoken[]> => {
  const { operation, input, dropped, effect, isWhole } = call;
  const command = commandOf(call);
  if (command !== null) return [await commands[command]?.answer(talk)].flat().filter((one) => one !== undefined);
  const drafts = effect === "write" && isWhole ? [{ operation, input }] : [];
  const skill = skillOf(call);
  const spoken = (name: string): string => name.replaceAll("_", " ");
  if (dropped.length > 0) {
    const which = dropped.map(spoken).join(" and which ");
    const text = `Which ${which} do you mean? I found no words for it in your message.`;
    return [clarify(skill, text, { drafts, reason: "no_evidence" })];
  }
  if (!isWhole) {
    const text = `For "${spoken(operation)}" I need more: say what it is about.`;
    return [clarify(skill, text, { reason: "missing_terms" })];
  }
  if (effect === "write") return [clarify(skill, "", { drafts, asks: "Shall I do that?" })];
  return [await ask(talk, skill, operation, input, (output) => ({ text: figuresText(output) }))];
};
