import { isConditional } from "../../../talk/reader/cut.ts";
import type { BriefInput, Term } from "../brief/form.ts";
import { orders, type Read, real, request } from "./parts.ts";
import type { Request, Situation } from "./request.ts";
import { termsIn } from "./terms/terms.ts";
import { plainOf, type Text } from "./text.ts";

/** Money or days of its own beside a channel or people: a campaign, and no remark. */
const isWhole = (terms: readonly Term[], open: BriefInput | null): boolean => {
  const has = (...kinds: readonly Term["kind"][]): boolean => terms.some(({ kind }) => kinds.includes(kind));
  const isMoney = has("budget", "foreign money");
  if (open !== null)
    return (
      isMoney && has("days") && has("audience", "channels", "ages") && (has("audience", "ages") || has("objectives"))
    );
  return isMoney && has("days", "channels", "audience");
};

const saysNew =
  /\b(?:new|another|second|fresh|different|next) (?:campaign|brief|one)\b|\bnow another\b|\bsomething else\b/;

/** Two budgets, two spans of days, two limits of price, a condition: which one is meant must be asked. */
const doubtsOf = (text: Text, terms: readonly Term[], reads: readonly Read[]): readonly Term[] => {
  const several = (values: readonly unknown[]): boolean =>
    new Set(values.map((value) => JSON.stringify(value))).size > 1;
  const budgets = terms.flatMap((term) => (term.kind === "budget" ? [term.value] : []));
  const days = terms.flatMap((term) =>
    term.kind === "days" && term.start !== null && term.end !== null ? [[term.start, term.end]] : [],
  );
  const limits = terms.flatMap((term) => (term.kind === "max_cpm" ? [term.value] : []));
  const isConditioned = reads.some((read) => isConditional(text.scan, read) && !read.isQuestion);
  return [
    ...(several(budgets)
      ? [{ kind: "two budgets" as const, words: budgets.map((value) => value.toLocaleString("en-US")).join(" or ") }]
      : []),
    ...(several(days)
      ? [{ kind: "unclear" as const, words: days.map((both) => both.join(" to ")).join(" and ") }]
      : []),
    ...(several(limits) ? [{ kind: "unclear" as const, words: `${limits.join(" and ")} CPM` }] : []),
    ...(isConditioned ? [{ kind: "unclear" as const, words: "the condition" }] : []),
  ];
};

export const newBrief = (
  text: Text,
  reads: readonly Read[],
  situation: Situation,
): { readonly brief: Request; readonly asking: readonly Read[] } | null => {
  const fresh = reads.map((read) => ({ ...read, ...termsIn(text, read, null, situation.nowMs) }));
  const all = fresh.filter((read) => !(read.isQuestion && real(read.terms).length < 2)).flatMap((read) => read.terms);
  // A later sentence adds channels to those of the first.
  const first = all.findIndex(({ kind }) => kind === "channels");
  const terms = all.map((term, at) =>
    term.kind === "channels" && at !== first && term.set !== null
      ? { ...term, set: null, add: [...term.set, ...term.add] }
      : term,
  );
  const { brief, job } = situation.memory;
  const words = plainOf(text, { from: 0, to: text.words.length });
  const isAsked = reads.every(({ isQuestion }) => isQuestion) && job !== null;
  const isNamedNew = saysNew.test(words);
  const isOwn = brief === null || isNamedNew || isWhole(terms, brief);
  const isEnough = isWhole(terms, brief) || (isNamedNew && real(terms).length > 1);
  const kinds = new Set(real(terms).map(({ kind }) => kind));
  const isBeside = job !== null && brief === null && !(kinds.has("days") || kinds.has("name") || isNamedNew);
  const isOrder =
    job !== null &&
    fresh.some(({ matches }) => matches.some(({ name, score }) => orders.has(name) && score >= 2)) &&
    !(kinds.has("audience") && kinds.has("days"));
  if (!isOwn || !isEnough || isAsked || isBeside || isOrder) return null;
  const whole = { from: 0, to: text.words.length, isQuestion: false, hasMark: false };
  return {
    brief: request(text, whole, "new brief", { terms: [...terms, ...doubtsOf(text, terms, fresh)], isNamedNew }),
    asking: fresh.filter((read) => read.isQuestion && real(read.terms).length < 2),
  };
};
