import type { Draft } from "../../../talk/gate/record.ts";
import { textOf } from "../../../talk/reader/entity.ts";
import { unreadIn } from "../../../talk/reader/unread.ts";
import { clarify, type Spoken, type Talk, tell, toPerson } from "../spoken.ts";
import { longestWords } from "./talking.ts";

interface Policy {
  readonly asked: RegExp;
  readonly words: string;
  /** Nothing is left that a person could add. */
  readonly isWhole?: true;
}

const coverage: Policy = {
  asked: /\bcover|\b(?:dmas?|cities|markets|regions|stations)\b|\bamong\b|\bincluded\b/i,
  words: "Which cities, markets or sites a product covers is not on record here beyond its name and description",
};

const policies: readonly Policy[] = [
  coverage,
  {
    asked: /\b(?:one|a single) (?:order|booking|deal|go|step|message)\b/i,
    words: 'One message books several quotes ("book all"); each of them becomes a deal of its own',
    isWhole: true,
  },
  {
    asked: /\b(?:per|by|by the|[\d,]+) spots?\b|\bspots\b(?! (?:length|duration|size|spec|file))/i,
    words: "Spots are sold by impressions here, at a price per thousand (CPM): name a volume and the days",
    isWhole: true,
  },
  {
    asked: /\bnet\b|\bgross\b|\btax|\bvat\b|commission/i,
    words: "Prices here are what a deal costs you, without tax; taxes and agency commission are not on record",
  },
  {
    asked: /\bpay|invoic|bill|refund|money back/i,
    words: "Payment terms and invoices are not settled in this conversation",
  },
  {
    asked: /\bcreative|\bbanner|material|asset|upload|spot\b|\bhand(?:ed)?\b.*\bin\b|\bfiles?\b|\bth(?:e|is) video\b/i,
    words: "A deal takes no creative here: it is set up in your DSP, in the line that targets the deal's ID",
    isWhole: true,
  },
  {
    asked: /\bdeadlines?\b|\b(?:until|by) when\b/i,
    words: "Deadlines of creatives are not on record here",
  },
  {
    asked: /\bactivat|\b(?:active|live|running)\b|\bneed anything\b|\bfrom (?:me|us)\b/i,
    words:
      "The seller activates a deal, and one that it does not activate expires. What is left for you is in your " +
      "DSP: enter the deal's ID, with the creative",
    isWhole: true,
  },
  {
    asked: /\bdsp\b/i,
    words:
      "A deal is delivered through a DSP, which targets its ID. Whether one runs without a DSP is not on record " +
      "here: ask for a person",
    isWhole: true,
  },
  {
    asked: /\breview|\bapprov/i,
    words: "How long the seller's review takes is not on record here; until it is done, a deal stays as it is",
  },
  {
    asked: /\bviewab|completion|\bvtr\b|\bctr\b/i,
    words: "Viewability and completion rates are not on record here",
  },
  {
    asked: /\bbrand|separat|exclusiv|competit|rival|\bnews\b|adjacen|block|categor|alcohol|gambl|pharma|politic/i,
    words: "Brand safety, separation and exclusivity are not part of a deal here",
  },
  {
    asked: /\bmake-?good|under-?deliver/i,
    words: "Make-goods are not on record here; a guaranteed deal (PG) reserves its volume on every day of the flight",
    isWhole: true,
  },
  {
    asked: /\breport|track|pixel|measure|verif|attribut|click|\bpacing|figures|numbers/i,
    words:
      "Tracking is set up in your DSP. Once a deal is active, delivered impressions and what was spent are told " +
      "here, with the share of the flight that is over, and clicks where the ad server reports them",
    isWhole: true,
  },
  {
    asked: /\bfrequen|\bcap/i,
    words: "Frequency caps are not part of a deal here: they are set in your DSP",
    isWhole: true,
  },
  {
    asked: /\bpaus|suspend/i,
    words:
      "Delivery can only be paused in your DSP; here the days or the volume of a deal are changed, or it is cancelled",
    isWhole: true,
  },
  {
    asked: /\blater\b|\bafterwards\b/i,
    words:
      "A quote is made anew with other terms at any time. The days and the volume of a deal change, and a deal ends, " +
      "where its seller agrees; its price stays",
    isWhole: true,
  },
  {
    asked: /\be?-?mail|\bwriting\b|\bpdf\b|\bnotif|\balert|\bping\b|\bposted\b|\ba (?:line|note)\b|\blet (?:me|us)\b/i,
    words:
      "Nothing is sent from here: quotes and deals stand in this conversation and in your records; ask for the state",
    isWhole: true,
  },
  { asked: /\bprivacy|gdpr|consent|ccpa|fraud|\bivt\b|bots/i, words: "Privacy and fraud terms are not on record here" },
  { asked: /\bcontract|legal|\bnda\b/i, words: "Contracts are not settled in this conversation" },
  {
    asked: /\bbinding|\bfinal\b/i,
    words:
      "A quote binds nobody and expires; a booking is final once its deal ID is given, " +
      "and ends only where a cancellation is approved",
    isWhole: true,
  },
  { asked: /\bguarantee/i, words: "Only a PG deal guarantees its volume", isWhole: true },
  { asked: /\baudience|reach|viewers|users|households/i, words: "There are no audience or reach figures here" },
];

/** What was asked about, in the words of who asked: "alcohol ads". */
const topicsOf = ({ request: { scan, parts, used, text } }: Talk, found: readonly Policy[]): readonly string[] => {
  // "Is Dallas covered by Comcast Local Avails?"
  const where = scan.owners.flatMap((one) => (one?.kind === "geo" ? [textOf(scan, one)] : []));
  if (found.includes(coverage)) return [...new Set(where)];
  const unread = parts.flatMap((part) => unreadIn(scan, part, used)).map((one) => one.text);
  // "Exclude: news, gambling" are two.
  const words = found.flatMap(({ asked }) => text.match(new RegExp(`(?:${asked.source})[\\w-]*`, "gi")) ?? []);
  return [...new Set([...words, ...unread])];
};

/** What is not on record is said so, with who can tell. */
export const policy = (talk: Talk): Spoken => {
  const matching = policies.filter(({ asked }) => asked.test(talk.request.text));
  const found = matching.length === 0 && talk.request.said.geo.length > 0 ? [coverage] : matching;
  const isWhole = found.length > 0 && found.every((one) => one.isWhole === true);
  const told = found.map(({ words: one }) => one).join(". ");
  const named = topicsOf(talk, found).filter((one) => !told.toLowerCase().includes(one.toLowerCase()));
  const about = named.length === 0 || isWhole ? "" : `About ${named.map((one) => `"${one}"`).join(" and ")}: `;
  const unknown = about === "" ? "That is not on record here" : "that is not on record here";
  const words = `${about}${found.length === 0 ? unknown : told}`;
  if (isWhole || talk.context.caller.kind === "anonymous")
    return tell("deals", `${words}.${isWhole ? "" : " A person of our team can tell you: ask for one."}`);
  const draft: Draft = {
    operation: toPerson,
    input: { words: talk.request.scan.text.slice(0, longestWords) },
  };
  return clarify("deals", `${words}; a person of our team can tell you.`, { drafts: [draft], reason: "not_on_record" });
};
