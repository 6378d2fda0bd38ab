import type { Took } from "../../talk/gate/gate.ts";
import { saidOfBooking } from "./answers/bookings.ts";
import { changeWords, saidOfRequest } from "./answers/changes.ts";
import { nameOf } from "./answers/discovery.ts";
import { negotiated, proposed } from "./answers/outcomes.ts";
import { saidOfQuote } from "./answers/quotes.ts";
import { handedOver } from "./answers/talking.ts";
import { focusOf, pick, productIdsOf, rowsOfList, sizeNames, type Slots, costOf } from "./memory.ts";
import { quoteRequest } from "./drafts.ts";
import { clarify, saidOfRefusal, type Spoken, type Talk, tell } from "./spoken.ts";
import { count, money } from "./wording.ts";

type Done = Extract<Took, { kind: "done" }>;

const readWords = (talk: Talk, operation: string, input: Slots, output: Slots): string => {
  const name = nameOf(talk, String(input["product_id"]));
  if (operation === "get_pricing") {
    const { final_price: cpm, currency } = output;
    const cost = costOf(Number(cpm), input["volume"]) ?? 0;
    const sum = cost > 0 ? ` ${count(input["volume"])} impressions cost ${money(cost, currency)}.` : "";
    return `${name} costs ${money(cpm, currency)} CPM.${sum}`;
  }
  if (operation === "check_avails")
    return output["unlimited"] === true
      ? `Yes, ${name} is available.`
      : `${name}: ${count(output["available_impressions"] ?? 0)} impressions are left, ` +
          `${String(output["start_date"])} to ${String(output["end_date"])}.`;
  if (operation === "list_deals")
    return `You have ${count(rowsOfList(output, "deals").length)} deals; ask for them by product or month.`;
  return `On sale: ${rowsOfList(output, "catalog")
    .map((one) => String(one["name"]))
    .join("; ")}.`;
};

const takenBack = ({ memory: { next } }: Talk, { cr_id: id }: Slots, result: Slots): Spoken => {
  const wanted = changeWords(Object.assign({}, ...next.map(({ input }) => pick(input, sizeNames))) as Slots);
  const instead = wanted === "" ? "" : ` Wanted instead: ${wanted}.`;
  const text = `Change request ${String(id)} is taken back; the deal stays as it is.${instead}`;
  return tell("deals", text, { outcome: "rejected", result, drafts: next, asks: "Shall I request it?" });
};

const of = (talk: Talk, { option: { operation, input }, output }: Done): Promise<Spoken> | Spoken => {
  const result = output as Slots;
  switch (operation) {
    case "book_deal":
    case "generate_deal":
      return saidOfBooking(talk, result);
    case "negotiate":
      return negotiated(talk, result, input["action"] === "accept" ? {} : { target_cpm: input["buyer_price"] });
    case "submit_proposal":
      return proposed(talk, result);
    case "request_quote": {
      const said = saidOfQuote(talk, { ...talk.memory.terms, ...input }, result);
      return { ...said, learnt: { ...input, target_cpm: null, budget: null, ...said.learnt } };
    }
    case "request_handover":
      return handedOver(result, typeof input["words"] === "string" ? input["words"] : "");
    case "withdraw_proposal":
      return tell("proposals", `Proposal ${String(input["proposal_id"])} is withdrawn.`, {
        outcome: "rejected",
        result,
        learnt: { proposal_id: null, negotiation_id: null },
      });
    case "withdraw_change_request":
      return takenBack(talk, input, result);
    case "cancel_deal":
      return saidOfRequest(String(input["deal_id"]), "cancellation", {}, result);
    case "change_deal":
    case "reschedule_deal": {
      const change = pick(input, sizeNames);
      return saidOfRequest(String(input["deal_id"]), `change to ${changeWords(change)}`, change, result);
    }
    default:
      return tell(
        operation === "list_deals" ? "deals" : operation === "get_pricing" ? "pricing" : "discovery",
        readWords(talk, operation, input, result),
        { result },
      );
  }
};

const gone = 410;

/** The terms of an expired quote are known still, and are offered anew. */
const expired = (talk: Talk, input: Slots, spoken: Spoken): Spoken => {
  const { status } = (spoken.result ?? {}) as Slots;
  const focus = focusOf(talk.memory);
  const isOfTalk = focus !== null && focus.terms["quote_id"] === input["quote_id"];
  if (
    (status !== gone && spoken.reason !== "quote_expired") ||
    !isOfTalk ||
    typeof focus.terms["impressions"] !== "number"
  )
    return spoken;
  return {
    ...spoken,
    outcome: "clarify",
    text: "That quote has expired, and any price agreed on it. Nothing is booked.",
    drafts: [quoteRequest(productIdsOf(focus.terms)[0], focus.terms)],
    asks: "Shall I quote it anew?",
  };
};

/** What became of an option, in words. */
export const saidOfTook = async (talk: Talk, took: Took): Promise<Spoken> => {
  if (took.kind === "done") return of(talk, took);
  const { option } = took;
  if (took.kind === "refused") return expired(talk, option.input, saidOfRefusal("deals", took));
  const { now, why } = took;
  if (now === null) return { ...clarify("deals", `Nothing was done: ${why}`), outcome: "refuse", reason: "changed" };
  return clarify("deals", `Nothing was done. ${why} Now: ${now.terms}`, {
    drafts: [{ operation: now.operation, input: now.input }],
    asks: "Shall I do that?",
    reason: "changed",
  });
};
