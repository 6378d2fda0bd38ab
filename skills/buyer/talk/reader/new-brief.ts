import type { Entity } from "../../../talk/reader/entity.ts";
import { allChannels, type BriefInput, missingIn, type Term } from "../brief/form.ts";
import { isSure } from "./campaign.ts";
import { setsCondition } from "./of-brief.ts";
import { begins, isPolite, orders, type Read, real, request } from "./parts.ts";
import type { Request, Situation } from "./request.ts";
import { termsIn } from "./terms/terms.ts";
import { asWritten, conditionWords, nameIdOf, type Place, plainOf, type Text } from "./text.ts";
import { isIn, saysPhrase } from "./words.ts";

const isMoney = (term: Term): boolean =>
  term.kind === "budget" || term.kind === "foreign money" || (term.kind === "share" && term.amount !== null);

/** Another name than that of the open brief; a name that it has not yet is its own. */
const isOther = (terms: readonly Term[], open: BriefInput): boolean =>
  terms.some(
    (term) =>
      (term.kind === "advertiser" || term.kind === "name") && ![null, undefined, term.value].includes(open[term.kind]),
  );

/**
 * Money or days of its own beside a channel or people: a campaign, and no remark. Beside an open brief only what says
 * all that a brief needs, and is for another one, or stands beside a brief that lacks nothing.
 */
const isWhole = (terms: readonly Term[], open: BriefInput | null): boolean => {
  const has = (...kinds: readonly Term["kind"][]): boolean => terms.some(({ kind }) => kinds.includes(kind));
  const isPaid = terms.some(isMoney);
  if (open === null) return isPaid && has("days", "channels", "audience");
  const isDated = terms.some((term) => term.kind === "days" && term.start !== null && term.end !== null);
  const isOfPeople = has("audience", "ages");
  if (!isPaid || !isDated || !(isOfPeople || has("channels"))) return false;
  return isOther(terms, open) || (missingIn(open).length === 0 && (isOfPeople || has("objectives")));
};

/** It speaks of what is open: "actually 70k", "run it 5 to 31 March instead". */
const saysOpen = new RegExp(
  String.raw`^(?:(?:ok|no|sorry|,) )*(?:actually|instead|rather|correction|make|change)\b|\binstead\b|` +
    String.raw`\b(?:make|run|move|change|extend|keep) (?:it|that|this|the)\b`,
);

/** "No new campaign please" says the opposite. */
export const saysNew = new RegExp(
  String.raw`(?<!(?:\bno|\bnot|\bwithout|n't want|\bnot want)(?: a| an)? )` +
    String.raw`\b(?:new|another|second|fresh|different|next) (?:campaign|brief|one)\b|` +
    String.raw`\bnow another\b|\bsomething else\b`,
);

type Span = Extract<Term, { kind: "days" }> & { readonly start: string; readonly end: string };

const isSpan = (term: Term): term is Span => term.kind === "days" && term.start !== null && term.end !== null;

/** "Next year, 15 Nov to 15 Dec 2027": the wider one only tells where the narrower one lies. */
const spansOf = (terms: readonly Term[]): readonly Span[] => {
  const all = terms.filter(isSpan);
  const isWider = (one: Span, other: Span): boolean =>
    one.start <= other.start && one.end >= other.end && (one.start !== other.start || one.end !== other.end);
  return all.filter((one) => !all.some((other) => isWider(one, other)));
};

const withoutWider = (terms: readonly Term[]): readonly Term[] => {
  const kept = spansOf(terms);
  return terms.filter((term) => !isSpan(term) || kept.includes(term));
};

/** Two budgets, two spans of days, two limits of price, a condition: which one is meant must be asked. */
const doubtsOf = (text: Text, terms: readonly Term[], reads: readonly Read[]): readonly Term[] => {
  const several = (values: readonly unknown[]): boolean =>
    new Set(values.map((value) => JSON.stringify(value))).size > 1;
  const budgets = terms.flatMap((term) => (term.kind === "budget" ? [term.value] : []));
  const days = spansOf(terms).map(({ start, end }) => [start, end]);
  const limits = terms.flatMap((term) => (term.kind === "max_cpm" ? [term.value] : []));
  const conditioned = reads.find((read) => setsCondition(text, read) && !read.isQuestion && read.standing === null);
  return [
    ...(several(budgets)
      ? [{ kind: "two budgets" as const, words: budgets.map((value) => value.toLocaleString("en-US")).join(" or ") }]
      : []),
    ...(several(days)
      ? [{ kind: "unclear" as const, words: days.map((both) => both.join(" to ")).join(" and ") }]
      : []),
    ...(several(limits) ? [{ kind: "unclear" as const, words: `${limits.join(" and ")} CPM` }] : []),
    ...(conditioned === undefined ? [] : [{ kind: "unclear" as const, words: conditionWords(text, conditioned) }]),
  ];
};

const secondLead = String.raw`(?:and |also |then |now )*(?:(?:the|my|our|a|here is the|here's the) )?`;
const startsAnother = new RegExp(
  String.raw`^${secondLead}(?:second|2nd|another|next|other)\b|^(?:brief|campaign) (?:2|two|b)\b`,
);

/** Where a second brief of a message begins: it has money and days of its own. */
export const secondAt = (text: Text, reads: readonly Read[]): number =>
  reads.findIndex((read, at) => {
    const has = (some: readonly Read[], ...kinds: readonly Term["kind"][]): boolean =>
      some.some(({ terms }) => terms.some(({ kind }) => kinds.includes(kind)));
    const isWholeOf = (some: readonly Read[]): boolean =>
      some.some(({ terms }) => terms.some(isMoney)) && has(some, "days", "length");
    const isNew =
      startsAnother.test(plainOf(text, read)) || (has([read], "advertiser") && has(reads.slice(0, at), "advertiser"));
    return at > 0 && isNew && isWholeOf(reads.slice(0, at)) && isWholeOf(reads.slice(at));
  });

/** "A) all into CTV, B) half CTV half display": the second of two variants; null where there is one plan. */
export const variantIn = ({ words, segments }: Text): Place | null => {
  const first = words.findIndex((word, at) => word === "a" && isIn(words[at + 1] ?? "", ") :"));
  const from = words.findIndex((word, at) => at > first && word === "b" && words[at + 1] === words[first + 1]);
  const last = segments.find((one) => one.from <= from && from < one.to);
  return first < 0 || last === undefined ? null : { from, to: last.to };
};

const leftAlone = (second: string): Term => ({
  kind: "said",
  words: `I read one brief a message. Of the second nothing is kept: send "${second.slice(0, 80)}" by itself.`,
});

const otherVariant = (words: string): Term => ({
  kind: "said",
  words:
    "One brief is one plan, so this is variant A. Of variant B nothing is kept: send " +
    `"${words}" as a brief of its own.`,
});

const likeness = "same as,same terms as,just like,exactly like,identical to,copy of,repeat of";

/** "Home loans 2, same as Home loans but 5,000 USD": by the terms of a campaign. */
const isLike = (text: Text, read: Read): boolean => saysPhrase(plainOf(text, read), likeness);

/** "Harbor Coffee's client cut the budget by 2,000: end it a week earlier", said of a campaign that is started. */
const isOfNamed = (fresh: readonly Read[], words: string, kinds: ReadonlySet<Term["kind"]>): boolean =>
  !saysNew.test(words) &&
  !kinds.has("audience") &&
  fresh.some(({ campaign }) => isSure(campaign)) &&
  (kinds.has("shift") ||
    saysOpen.test(words) ||
    fresh.some(({ matches }) => matches.some(({ name, score }) => name === "change" && score >= 3)));

/** "A new one: Native In-Feed": the name of a line that is there stands for its channel. */
const withLineChannels = (text: Text, { job }: Situation): Text => {
  const known = new Map<Entity, Entity>();
  const owners = text.scan.owners.map((owner) => {
    const name = nameIdOf(owner);
    const line = job?.recommendations?.find(({ product_name: product }) => name === `line ${product}`);
    if (owner?.kind !== "product" || line === undefined || !allChannels.includes(line.channel as never)) return owner;
    const channel = known.get(owner) ?? { ...owner, ids: [line.channel], inventoryType: line.channel };
    known.set(owner, channel);
    return channel;
  });
  return { ...text, scan: { ...text.scan, owners } };
};

/** `second`: how another brief of the message begins, which is left alone. */
export const newBrief = (
  text: Text,
  reads: readonly Read[],
  situation: Situation,
  second: string | null,
): { readonly brief: Request; readonly asking: readonly Read[] } | null => {
  const named = withLineChannels(text, situation);
  const fresh = reads.map((read) => ({ ...read, ...termsIn(named, read, null, situation.nowMs) }));
  // "Is 45k enough for CTV?" asks, and sets nothing.
  const isAsking = (read: Read): boolean =>
    read.isQuestion &&
    (real(read.terms).length === 0 ||
      (begins(text, read.from) && (real(read.terms).length < 2 || !isPolite(text, read))));
  const all = withoutWider(fresh.filter((read) => !isAsking(read)).flatMap((read) => read.terms));
  // A later sentence adds channels and people to those of the first.
  const isLater = (kind: Term["kind"], at: number): boolean => all.slice(0, at).some((one) => one.kind === kind);
  const terms = all.map((term, at) =>
    term.kind === "channels" && term.set !== null && isLater("channels", at)
      ? { ...term, set: null, add: [...term.set, ...term.add] }
      : term.kind === "audience" && isLater("audience", at)
        ? { ...term, isAdded: true }
        : term,
  );
  const { brief, job } = situation.memory;
  const words = plainOf(text, { from: 0, to: text.words.length });
  const isAsked = reads.every(({ isQuestion }) => isQuestion) && job !== null;
  const isNamedNew = saysNew.test(words);
  const isSecond = isWhole(terms, brief) && (brief === null || isOther(terms, brief) || !saysOpen.test(words));
  const isEnough = isSecond || (isNamedNew && real(terms).length > 1);
  const kinds = new Set(real(terms).map(({ kind }) => kind));
  // "Actually make it 32k, 16 Aug to 12 Sep instead" of a started campaign opens no second one.
  const isOfStarted =
    saysOpen.test(words) && !["audience", "channels", "advertiser"].some((kind) => kinds.has(kind as never));
  const isBeside =
    job !== null && brief === null && !isNamedNew && !kinds.has("name") && (!kinds.has("days") || isOfStarted);
  const isOrder =
    job !== null &&
    fresh.some(({ matches }) => matches.some(({ name, score }) => orders.has(name) && score >= 2)) &&
    !(kinds.has("audience") && kinds.has("days"));
  if (!isEnough || isAsked || isBeside || isOrder || isOfNamed(fresh, words, kinds)) return null;
  const variant = variantIn(text);
  const whole = { from: 0, to: text.words.length, isQuestion: false, hasMark: false };
  return {
    brief: request(text, whole, "new brief", {
      terms: [
        ...terms,
        ...doubtsOf(text, terms, fresh),
        ...(second === null ? [] : [leftAlone(second)]),
        ...(variant === null ? [] : [otherVariant(asWritten(text, variant.from + 2, variant.to))]),
      ],
      like: fresh.find((read) => isSure(read.campaign) && isLike(text, read))?.campaign ?? null,
      isHeld: reads.some(({ standing }) => standing === "held"),
    }),
    asking: fresh.filter(isAsking),
  };
};
