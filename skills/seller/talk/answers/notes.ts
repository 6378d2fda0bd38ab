import { passedOn } from "../drafts.ts";
import { dealTopics, openTopics, withNotes } from "../memory.ts";
import { carriedText, clarify, read, type Spoken, type Talk, tell } from "../spoken.ts";
import { shownRecord } from "./bookings.ts";

export const notAdded = "A booked deal takes no note any more, and a person of our team can add";

/** Whom a booking is for, and the buyer's own numbers: what the next one carries, or what a deal has. */
export const noted = async (talk: Talk): Promise<readonly Spoken[]> => {
  const { said } = talk.request;
  const notes = withNotes(talk.memory.notes, said.notes);
  const open = openTopics(talk.memory).at(-1);
  const deal = open === undefined ? dealTopics(talk.memory).at(-1) : undefined;
  const none =
    notes.length > 0 ? "" : "No advertiser and no reference is noted here: name it, and the booking carries it.";
  if (open !== undefined) {
    const shown = await shownRecord(talk, open.terms);
    return [{ ...shown, text: ["Nothing is booked of this yet.", shown.text, none].join(" ").trim() }];
  }
  if (deal === undefined) return [tell("deals", `${none}${carriedText(talk)}`.trim())];
  const record = await read(talk, "get_deal", { deal_id: deal.terms["deal_id"] });
  const own = record?.["notes"];
  const id = String(deal.terms["deal_id"]);
  if (said.notes.length === 0 && typeof own === "string")
    return [tell("deals", `Deal ${id} carries: ${own}.`, { result: record })];
  const state = `Deal ${id} carries ${typeof own === "string" ? own : "no advertiser and no reference"}.`;
  const text = `${state} ${notAdded} ${said.notes.length === 0 ? "it" : said.notes.join("; ")}.`;
  return [clarify("deals", text, { result: record, drafts: passedOn(talk), reason: "not_on_record" })];
};
