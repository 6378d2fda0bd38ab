import type { Memory } from "./memory.ts";
import type { Act } from "./reading/choice/acts.ts";
import { isQuestion } from "./reading/choice/mood.ts";
import { plainText } from "./reading/choice/spelling.ts";
import type { Heard, Slots } from "./reading/slots.ts";
import { without } from "./terms.ts";

const figures = ["impressions", "target_cpm", "budget"];

const records = ["quote_id", "proposal_id", "deal_id"];

/** A question goes on from one about other figures, or says nothing of them. */
const goesOn: ReadonlySet<Act> = new Set([
  "price",
  "availability",
  "steps",
  "discounts",
  "greet",
  "thanks",
  "unknown",
  "unclear",
  "withhold",
  "elsewhere",
]);

const onlyAsks: ReadonlySet<Act> = new Set([...goesOn, "list", "describe", "formats", "targeting"]);

const whatIf = /\b(?:possible|feasible|doable|what if|suppose|hypothetical\w*|in theory)\b/i;

const isAside =
  /\b(?:just|only) (?:asking|curious|wondering)\b|\bwhat if\b|\bhypothetical\w*|\bin theory\b|\bif (?:i|we) wanted\b/i;

const wantsQuote = /\b(?:quote|offer) (?:me|us|it|that|this)\b/i;

/** "If I wanted March instead? Just asking": a quote would replace what is open. */
export const onlyAsked = (text: string): boolean => isAside.test(text) && !wantsQuote.test(text);

const takesUp = /\b(?:it|that|this|those|these|so|then|yes|ok(?:ay)?|requote)\b/i;

const isOpen = ({ terms }: Memory): boolean => records.some((name) => terms[name] !== undefined);

const figuresOf = (terms: Slots): Slots =>
  Object.fromEntries(Object.entries(terms).filter(([name]) => figures.includes(name)));

const namesNothing = ({ slots, inventory, resize, shift }: Heard): boolean =>
  Object.keys(slots).length === 0 && inventory.length === 0 && resize === null && shift === null;

/** What a question asked about ends with the next message, unless that takes it up. */
export const settled = (
  memory: Memory,
  act: Act,
  { text, heard }: { readonly text: string; readonly heard: Heard },
): Memory => {
  const { standing, ...rest } = memory;
  if (standing === undefined || goesOn.has(act)) return memory;
  const isTaken = act === "quote" ? takesUp.test(text) || namesNothing(heard) : onlyCommits.has(act) && !isOpen(memory);
  if (isTaken) return rest;
  const { impressions } = memory.terms;
  const isNew = act === "quote" && standing["impressions"] === undefined && impressions !== undefined;
  return { ...rest, terms: { ...without(memory.terms, figures), ...standing, ...(isNew ? { impressions } : {}) } };
};

/** These quote first where nothing is open, and then show what they quote. */
const onlyCommits: ReadonlySet<Act> = new Set(["book", "accept", "offer", "propose"]);

const isSameProduct = (before: Slots, after: Slots): boolean =>
  ["product_id", "inventory_type"].every((name) => JSON.stringify(before[name]) === JSON.stringify(after[name]));

/** Of other figures than those in force, asked about only: the latter stand again after it. */
export const withStanding = (
  before: Memory,
  after: Memory,
  { act, text, heard }: { readonly act: Act; readonly text: string; readonly heard: Heard },
): Memory => {
  const isSame = isSameProduct(before.terms, after.terms);
  const { standing, ...rest } = after;
  const kept = standing === undefined || !isSame ? rest : { ...rest, standing };
  const names = heard.resize !== null || figures.some((name) => heard.slots[name] !== undefined);
  if (!names || !onlyAsks.has(act) || !isQuestion(plainText(text))) return kept;
  const stood = isSame ? figuresOf(before.terms) : {};
  const isBound = heard.slots["target_cpm"] !== undefined || heard.barePrice !== null;
  const isOther = isSame && (isOpen(before) || stood["impressions"] !== undefined);
  const isWhatIf = whatIf.test(text) && (isBound || isOther);
  return isWhatIf || (isSame && isOpen(before)) ? { ...rest, standing: standing ?? stood } : kept;
};
