import type { Draft } from "../../../talk/gate/record.ts";
import { dealTopics, openTopics, type Slots, withNotes } from "../memory.ts";
import { carriedText, clarify, read, type Spoken, type Talk, tell, toPerson } from "../spoken.ts";
import { shownRecord } from "./bookings.ts";

export const notAdded = "A booked deal takes no note any more, and a person of our team can add";

/** Whom a booking is for, and the buyer's own numbers: what the next one carries, or what a deal has. */
export const noted = async (talk: Talk): Promise<readonly Spoken[]> => {
  const { said, scan } = talk.request;
  const notes = withNotes(talk.memory.notes, said.notes);
  const open = openTopics(talk.memory).at(-1);
  const deal = open === undefined ? dealTopics(talk.memory).at(-1) : undefined;
  const none =
    notes.length > 0 ? "" : "No advertiser and no reference is noted here: name it, and the booking carries it.";
  if (open !== undefined) {
    const shown = await shownRecord(talk, open.terms, "");
    return [{ ...shown, text: ["Nothing is booked of this yet.", shown.text, none].join(" ").trim() }];
  }
  if (deal === undefined) return [tell("deals", `${none}${carriedText(talk)}`.trim())];
  const record = await read(talk, "get_deal", { deal_id: deal.terms["deal_id"] });
  const own = (record as Slots | null)?.["notes"];
  const id = String(deal.terms["deal_id"]);
  if (said.notes.length === 0 && typeof own === "string")
    return [tell("deals", `Deal ${id} carries: ${own}.`, { result: record })];
  const state = `Deal ${id} carries ${typeof own === "string" ? own : "no advertiser and no reference"}.`;
  const drafts: readonly Draft[] =
    talk.context.caller.kind === "anonymous"
      ? []
      : [{ operation: toPerson, input: { words: scan.text.slice(0, 500) } }];
  const what = said.notes.length === 0 ? "it" : said.notes.join("; ");
  return [clarify("deals", `${state} ${notAdded} ${what}.`, { result: record, drafts, reason: "not_on_record" })];
};
