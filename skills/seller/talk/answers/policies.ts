import { passedOn } from "../drafts.ts";
import { textOf } from "../../../talk/reader/entity.ts";
import { unreadIn } from "../../../talk/reader/unread.ts";
import { clarify, type Spoken, type Talk, tell } from "../spoken.ts";
import { inQuotes } from "../wording.ts";
import { whoDecides } from "./records.ts";

interface Policy {
  /** Words, beginnings of words ("viewab*") and words in a row; "…" is up to four others. */
  readonly asked: string;
  readonly words: string;
  /** Nothing is left that a person could add. */
  readonly isWhole?: true;
}

const coverage: Policy = {
  asked: "cover*, dma, dmas, cities, markets, regions, stations, among, included",
  words: "Which cities, markets or sites a product covers is not on record here beyond its name and description",
};

const creatives: Policy = {
  asked:
    "creative*, banner*, material*, asset*, upload*, attach*, spot, tell you which, hand in, handed in, hand … in, " +
    "file, files, the video, this video, send it, send them",
  words: "A deal takes no creative here: it is set up in your DSP, in the line that targets the deal's ID",
  isWhole: true,
};

const policies: readonly Policy[] = [
  coverage,
  {
    asked: "replac*, in addition, on top, have both",
    words: "A quote that is booked becomes a deal of its own: it replaces none, and what is booked already stays",
    isWhole: true,
  },
  {
    asked: "one order, one booking, one go, one step, one message, a single *, one number",
    words:
      'One message books several quotes ("book all"); each of them becomes a deal of its own with its own ID, and no ' +
      "order or order number stands over several",
    isWhole: true,
  },
  {
    asked: "per spot, by spot, by the spot, spots",
    words: "Spots are sold by impressions here, at a price per thousand (CPM): name a volume and the days",
    isWhole: true,
  },
  {
    asked: "net, gross, tax*, vat, commission*",
    words: "Prices here are what a deal costs you, without tax; taxes and agency commission are not on record",
  },
  {
    asked: "pay*, invoic*, bill, bills, billed, billing, refund*, money back",
    words: "Payment terms and invoices are not settled in this conversation",
  },
  creatives,
  {
    asked: "deadline, deadlines, until when, by when",
    words: "Deadlines of creatives are not on record here",
  },
  {
    asked: "activat*, active, live, running, need anything, from me, from us",
    words:
      "The seller activates a deal, and one that it does not activate expires. What is left for you is in your " +
      "DSP: enter the deal's ID, with the creative",
    isWhole: true,
  },
  {
    asked: "dsp",
    words:
      "A deal is delivered through a DSP, which targets its ID. Whether one runs without a DSP is not on record " +
      "here: ask for a person",
    isWhole: true,
  },
  {
    asked: "review*, approv*",
    words: whoDecides.slice(0, -1),
    isWhole: true,
  },
  {
    asked: "viewab*, completion*, vtr, ctr",
    words: "Viewability and completion rates are not on record here",
  },
  {
    asked:
      "brand*, separation, separated, exclusiv*, competit*, rival*, news, adjacen*, block*, categor*, alcohol*, " +
      "gambl*, pharma*, politic*",
    words: "Brand safety, separation and exclusivity are not part of a deal here",
  },
  {
    asked: "makegood*, make - good*, underdeliver*, under - deliver*, make good*, under deliver*",
    words: "Make-goods are not on record here; a guaranteed deal (PG) reserves its volume on every day of the flight",
    isWhole: true,
  },
  {
    asked: "report*, track*, pixel*, measure*, verif*, attribut*, click*, pacing, figures, numbers",
    words:
      "Tracking is set up in your DSP. Once a deal is active, delivered impressions and what was spent are told " +
      "here, with the share of the flight that is over, and clicks where the ad server reports them",
    isWhole: true,
  },
  {
    asked: "frequen*, cap*",
    words: "Frequency caps are not part of a deal here: they are set in your DSP",
    isWhole: true,
  },
  {
    asked: "paus*, suspend*, resum*, restart*, for now, for a while, temporarily, start it again",
    words:
      "Delivery is paused and resumed in your DSP alone; here the days or the volume of a deal are changed, or it is " +
      "cancelled",
    isWhole: true,
  },
  {
    asked: "later, afterwards",
    words:
      "A quote is made anew with other terms at any time. The days and the volume of a deal change, and a deal ends, " +
      "where its seller agrees; its price stays",
    isWhole: true,
  },
  {
    asked: "email*, mail*, writing, pdf, notif*, alert*, ping, posted, a line, a note, let me, let us",
    words:
      "Nothing is sent from here: quotes and deals stand in this conversation and in your records; ask for the state",
    isWhole: true,
  },
  {
    asked: "privacy, gdpr, consent*, ccpa, fraud*, ivt, bots",
    words: "Privacy and fraud terms are not on record here",
  },
  { asked: "contract*, legal*, nda", words: "Contracts are not settled in this conversation" },
  {
    asked: "binding, final",
    words:
      "A quote binds nobody and expires; a booking is final once its deal ID is given, " +
      "and ends only where a cancellation is approved",
    isWhole: true,
  },
  { asked: "guarantee*", words: "Only a PG deal guarantees its volume", isWhole: true },
  { asked: "audience*, reach*, viewers, users, households", words: "There are no audience or reach figures here" },
];

const mostBetween = 4;

/** Where a phrase that begins at a place ends; 0: it is not there. */
const endOf = (words: readonly string[], at: number, [first, ...rest]: readonly string[]): number => {
  if (first === undefined) return at;
  if (first === "…") {
    const ends = Array.from({ length: mostBetween }, (_, skip) => endOf(words, at + 1 + skip, rest));
    return ends.find((end) => end > 0) ?? 0;
  }
  const word = words[at] ?? "";
  const isSaid = first.endsWith("*") ? word !== "" && word.startsWith(first.slice(0, -1)) : word === first;
  return isSaid ? endOf(words, at + 1, rest) : 0;
};

/** The words of a request that a policy is asked by, as they were written. */
const saidOf = ({ request: { scan, parts } }: Talk, { asked }: Policy): readonly string[] => {
  const phrases = asked.split(", ").map((phrase) => phrase.split(" "));
  return parts.flatMap(({ from, to }) => {
    const words = scan.tokens.slice(from, to).map(({ word }) => word);
    return words.flatMap((_, at) => {
      const end = Math.max(...phrases.map((phrase) => endOf(words, at, phrase)));
      return end > 0 ? [textOf(scan, { from: from + at, to: from + end })] : [];
    });
  });
};

/** What was asked about, in the words of who asked: "alcohol ads". */
const topicsOf = (talk: Talk, found: readonly Policy[]): readonly string[] => {
  const { scan, parts, used } = talk.request;
  // "Is Dallas covered by Comcast Local Avails?"
  const where = scan.owners.flatMap((one) => (one?.kind === "geo" ? [textOf(scan, one)] : []));
  if (found.includes(coverage)) return [...new Set(where)];
  const unread = parts.flatMap((part) => unreadIn(scan, part, used)).map((one) => one.text);
  // "Exclude: news, gambling" are two.
  const words = found.flatMap((one) => saidOf(talk, one));
  return [...new Set([...words, ...unread])];
};

/** What is not on record is said so, with who can tell. */
export const policy = (talk: Talk): Spoken => {
  const matching = policies.filter((one) => saidOf(talk, one).length > 0);
  const { geo, entities } = talk.request.said;
  // "Here's our 300x250: https://…"
  const isHanded = entities.some(({ kind }) => kind === "size" || kind === "spot");
  const found = matching.length > 0 ? matching : geo.length > 0 ? [coverage] : isHanded ? [creatives] : [];
  const isWhole = found.length > 0 && found.every((one) => one.isWhole === true);
  const told = found.map(({ words: one }) => one).join(". ");
  const named = topicsOf(talk, found).filter((one) => !told.toLowerCase().includes(one.toLowerCase()));
  const about = named.length === 0 || isWhole ? "" : `About ${inQuotes(named)}: `;
  const unknown = about === "" ? "That is not on record here" : "that is not on record here";
  const words = `${about}${found.length === 0 ? unknown : told}`;
  const drafts = passedOn(talk);
  if (isWhole || drafts.length === 0)
    return tell("deals", `${words}.${isWhole ? "" : " A person of our team can tell you: ask for one."}`);
  return clarify("deals", `${words}; a person of our team can tell you.`, { drafts, reason: "not_on_record" });
};
