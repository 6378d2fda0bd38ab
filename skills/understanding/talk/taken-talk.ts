import type { Took } from "../../talk/gate/gate.ts";
import { changeWords, saidOfRequest } from "./change-talk.ts";
import { saidOfBooking } from "./commit-talk.ts";
import { handedOver } from "./hand-over-talk.ts";
import { negotiated, saidOfProposal } from "./offer-talk.ts";
import { saidOfQuote } from "./price-talk.ts";
import { expiredQuote } from "./shown-terms.ts";
import { clarify, pick, settled, type Spoken, type Talk } from "./speech.ts";
import { focusOf, isInFocus } from "../topics.ts";
import type { Slots } from "../reading/slots.ts";

const ended = (talk: Talk, spoken: Spoken): Spoken => ({
  ...spoken,
  ...focusOf(null),
  dropped: (talk.memory.topics ?? []).filter((topic) => isInFocus(talk.memory, topic)),
});

const negotiatedBy = async (talk: Talk, input: Slots, output: Slots): Promise<Spoken> => {
  const spoken = await negotiated(talk, output);
  if (input["action"] === "reject" && spoken.outcome === "rejected") return ended(talk, spoken);
  const { buyer_price: price } = input;
  const learnt = input["action"] === "accept" ? spoken.learnt : { ...spoken.learnt, target_cpm: price };
  return {
    ...spoken,
    ...(learnt === undefined ? {} : { learnt }),
    about: { ...talk.memory.terms, ...pick(output, ["quote_id", "proposal_id"]), target_cpm: price },
  };
};

const quotedBy = (talk: Talk, input: Slots, output: Slots): Spoken => {
  const { budget: _budget, target_cpm: _offered, ...terms } = talk.memory.terms;
  const said = saidOfQuote(talk, { ...terms, ...input }, output);
  return { skill: "pricing", ...said, learnt: { ...input, target_cpm: null, budget: null, ...said.learnt } };
};

const withdrawn = (id: unknown, output: Slots): Spoken => ({
  skill: "proposals",
  outcome: "rejected",
  result: output,
  learnt: { proposal_id: null, negotiation_id: null },
  isNegotiating: false,
  text: `Proposal ${String(id)} is withdrawn.`,
});

const takenBack = (id: unknown, output: Slots): Spoken => ({
  skill: "deals",
  outcome: "rejected",
  result: output,
  text: `Change request ${String(id)} is taken back; the deal stays as it is.`,
});

const changed = (input: Slots, output: Slots): Spoken => {
  const change = pick(input, ["impressions", "flight_start", "flight_end"]);
  return {
    skill: "deals",
    ...saidOfRequest(String(input["deal_id"]), `change to ${changeWords(change)}`, change)(output),
  };
};

const doneBy = (talk: Talk, operation: string, input: Slots, output: Slots): Promise<Spoken> | Spoken => {
  switch (operation) {
    case "book_deal":
    case "generate_deal":
      return { skill: "deals", ...saidOfBooking(talk)(output) };
    case "negotiate":
      return negotiatedBy(talk, input, output);
    case "submit_proposal":
      return { skill: "proposals", ...saidOfProposal(talk)(output) };
    case "cancel_deal":
      return { skill: "deals", ...saidOfRequest(String(input["deal_id"]), "cancellation", {})(output) };
    case "withdraw_proposal":
      return withdrawn(input["proposal_id"], output);
    case "withdraw_change_request":
      return takenBack(input["cr_id"], output);
    case "request_handover":
      return handedOver(output);
    case "request_quote":
      return quotedBy(talk, input, output);
    default:
      return changed(input, output);
  }
};

/** What became of an option, in words. */
export const saidOfTook = async (talk: Talk, took: Took): Promise<Spoken> => {
  const { operation, input } = took.option;
  if (took.kind === "done") return doneBy(talk, operation, input, took.output as Slots);
  if (took.kind === "refused") {
    const spoken = settled("deals", took, () => clarify("deals", ""));
    return expiredQuote(talk, String(input["quote_id"]), spoken) ?? spoken;
  }
  const { now, why } = took;
  if (now === null) return { ...clarify("deals", `Nothing was done: ${why}`), outcome: "refuse" };
  return { ...clarify("deals", `Nothing was done. ${why} Now: ${now.terms} Shall I do that?`), again: [now] };
};
