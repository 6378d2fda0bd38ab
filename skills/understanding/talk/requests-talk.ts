import type { Offer } from "../../../machines/conversation/machine.ts";
import type { Slots } from "../reading/slots.ts";
import { changeName, dealsOf, isRunning } from "./deal-lines.ts";
import { ask, asLines, clarify, type Spoken, type Talk } from "./speech.ts";

/** A change that was requested and is not decided. */
interface Waiting {
  readonly id: string;
  readonly type: unknown;
  readonly dealId: string;
}

/** What is approved already is no longer the buyer's to take back. */
export const waitingOf = (deal: Slots): readonly Waiting[] =>
  ((deal["changes_waiting"] ?? []) as readonly Slots[]).flatMap(
    ({ change_request_id: id, change_type: type, status }) =>
      status === "pending_approval" ? [{ id: String(id), type, dealId: String(deal["deal_id"]) }] : [],
  );

const takesBack = new RegExp(
  "\\b(?:take|taking) (?:it |that |this )?back\\b|" +
    "\\b(?:withdraw|drop|revoke|retract|undo|scrap|forget|cancel|recall|pull) (?:about )?" +
    "(?:(?:the|my|our|that|this|last|pending|volume|date) )*(?:changes?|change requests?|requests?|move)\\b|" +
    "\\b(?:take|pull) (?:the|my|our|that|this) (?:[a-z]+ )?(?:changes?|requests?|move|cancellation) back\\b|" +
    "\\b(?:take back|withdraw) (?:the|my|our|that|this) (?:cancellation|request|change|move)",
  "i",
);

export const asksToTakeBack = (text: string): boolean => takesBack.test(text);

const requestId = /\bCR-[0-9A-F]{12}\b/i;

/** Of the request or the deal that is named, else of the deal in force, else of all deals. */
const meantBy = async ({ context, text, memory }: Talk, running: readonly Slots[]): Promise<readonly Waiting[]> => {
  const all = running.flatMap(waitingOf);
  const named = requestId.exec(text)?.[0].toUpperCase();
  if (named !== undefined) return all.filter(({ id }) => id === named);
  const { deal_id: dealId } = memory.terms;
  if (typeof dealId !== "string") return all;
  const found = await context.call("get_deal", { deal_id: dealId });
  const own = found.kind === "done" ? waitingOf(found.output as Slots) : [];
  return own.length > 0 ? own : all;
};

const lineOf = ({ id, type, dealId }: Waiting): string => `${id}: ${changeName(type)} of deal ID ${dealId}`;

/** A request is taken back only after a yes. */
export const takeBack = async (talk: Talk): Promise<Spoken> => {
  const waiting = await meantBy(talk, (await dealsOf(talk, {})).filter(isRunning));
  const [first] = waiting;
  const dealIds = new Set(waiting.map(({ dealId }) => dealId));
  if (first === undefined)
    return {
      ...clarify("deals", "No change request of yours waits for the seller, so there is none to take back."),
      outcome: "answer",
    };
  const lines = waiting.map(lineOf);
  if (dealIds.size > 1) return clarify("deals", `${asLines("Which request shall I take back?", lines)}\nGive its id.`);
  const ids = waiting.map(({ id }) => id);
  return {
    ...clarify("deals", `Requested and not done yet: ${lines.join("; ")}. ${takeBackQuestion(ids)}`),
    offers: [{ kind: "take back", id: first.dealId, digest: null, change: { requests: ids } }],
  };
};

export const takeBackQuestion = (ids: readonly string[]): string =>
  `Shall I take back ${ids.join(" and ")}? The deal then stays as it is.`;

export const requestsIn = ({ change }: Offer): readonly string[] => {
  const { requests } = change ?? {};
  return Array.isArray(requests) ? requests.map(String) : [];
};

/** With what waits, the price before and after; null where no request is of another price. */
export const newTotal = async (talk: Talk): Promise<Spoken | null> => {
  const { deal_id: dealId } = talk.memory.terms;
  const found = typeof dealId === "string" ? await talk.context.call("get_deal", { deal_id: dealId }) : null;
  for (const { id } of found?.kind === "done" ? waitingOf(found.output as Slots) : []) {
    const told = await ask(talk, "deals", { name: "get_change_request", input: { cr_id: id } }, (output) => ({
      outcome: "answer",
      result: output,
      text: `Change request ${id} of deal ID ${String(dealId)}: ${String(output["status_text"])}`,
    }));
    if ((told.result as Slots | null)?.["pricing_impact"] != null) return told;
  }
  return null;
};
