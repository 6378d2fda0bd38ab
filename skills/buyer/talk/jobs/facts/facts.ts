import { placesIn } from "../../../../understanding/reading/places.ts";
import { listSellers } from "../../../registry/contract.ts";
import { called, type Said, type Talk } from "../../talk.ts";
import { exclusionsIn } from "../../brief/words/plain-words.ts";
import { mentionsIn, namesOf } from "../../brief/words/mentions.ts";
import { channelWords } from "../../brief/words/vocabulary.ts";
import { wordsOf } from "../../glossary.ts";
import type { Which } from "../meant/which.ts";
import { bookedLines, exampleOf, type Job, titled, totalOf, waitingLines } from "../wording.ts";
import { averageWords, leftWords, thresholdWords } from "./figures.ts";
import { statement } from "./statement.ts";

type Answer = (talk: Talk, which: Which) => readonly string[] | Promise<readonly string[]>;

const sellerName = (job: Job, url: string): string => {
  const name = job.sellers.find((seller) => seller.url === url)?.name;
  return name == null ? url : `${name} (${url})`;
};

const ofLines = (job: Job): string => {
  const urls = [...new Set((job.recommendations ?? []).map((line) => line.seller_url))];
  return urls.length === 0 ? "No seller has offered anything yet." : urls.map((url) => sellerName(job, url)).join(", ");
};

const payment: Answer = (_talk, { job }) => {
  const booked = bookedLines(job);
  const sum = booked.length === 0 ? "Nothing is booked, so nothing is owed." : `Booked so far: ${totalOf(booked)}.`;
  return [
    `Nothing is paid here, and I send no invoice: each seller bills the deals that are booked with it, by its own ` +
      `terms of payment, which I do not know. ${sum}`,
    `Sellers of the lines of ${titled(job)}: ${ofLines(job)}.`,
  ];
};

const noTerms = "Whether a seller takes a fee for it, or books the same again, I do not know: ask the seller.";

const cancellable: Answer = (_talk, { job }) => {
  const [line] = bookedLines(job);
  const waits = waitingLines(job).length > 0;
  return [
    ...(waits ? [`What waits can be dropped at any time, at no cost: say for example ${exampleOf("drop", job)}.`] : []),
    `A booked deal can be cancelled where its seller agrees; until the seller decides it stays booked.`,
    ...(line === undefined ? [] : [`Say for example "cancel deal ${line.deal_id}".`]),
    "A cancellation is final: nothing is taken back here, but the same can be planned again with a new brief.",
    noTerms,
  ];
};

const notTargeted: Answer = (_talk, { job }) => [
  `No: sellers are not asked to leave out or to choose sites, topics, apps, devices, people, places, days or hours, ` +
    `and on which ones the lines of ${titled(job)} run I do not know. Ask the seller: ${ofLines(job)}.`,
];

const sellers: Answer = (_talk, { job }) => {
  const lines = job.recommendations ?? [];
  const words = job.sellers.map((seller) => {
    const own = lines.filter((line) => line.seller_url === seller.url && line.status !== "rejected");
    const offer = own.length === 0 ? "no line" : own.map(({ product_name: name }) => name).join(", ");
    const state = [seller.status.replaceAll("_", " "), seller.error].filter(Boolean).join(": ");
    return `- ${sellerName(job, seller.url)}: ${state}; lines: ${offer}`;
  });
  return words.length === 0
    ? [`No seller is asked for ${titled(job)} yet.`]
    : [`Asked for ${titled(job)}:`, ...words, "I ask the sellers that are set up here, and no others."];
};

const glossary: Answer = (_talk, { job }) => {
  const lines = job.recommendations ?? [];
  return ["CPM", "impressions", ...new Set(lines.flatMap((line) => [line.deal_type, line.channel]))].flatMap((word) =>
    wordsOf(word.replaceAll("_", " ")),
  );
};

const inPart: Answer = (_talk, { job }) => [
  `A line is booked whole, for its full sum: I cannot book a part of one. The lines of ${titled(job)} that wait:`,
  ...waitingLines(job).map(({ words }) => words),
  `You can approve some of them (say for example ${exampleOf("approve", job)}), or cancel and send a brief with the ` +
    "smaller budget. Nothing is booked.",
];

/** Null where no channel is named. */
const channelsAsked = ({ job, text }: Which): readonly string[] | null => {
  const named = namesOf(mentionsIn(text, channelWords));
  const lines = (job.recommendations ?? []).filter(({ status }) => status !== "rejected");
  return named.length === 0
    ? null
    : named.map((channel) => {
        const own = lines.filter((line) => line.channel === channel).map(({ product_name: name }) => name);
        const words = wordsOf(channel.replaceAll("_", " ")).join(" ");
        return own.length === 0
          ? `No: ${titled(job)} has no line for ${channel}. ${words}`
          : `For ${channel}: ${own.join(", ")}. ${words}`;
      });
};

const expiry: Answer = (_talk, { job }) => {
  const ends = (job.recommendations ?? [])
    .filter(({ status }) => status === "pending_approval")
    .flatMap(({ product_name: name, quote_expires_at: at }) => (at === null ? [] : [`- ${name}: until ${at}`]));
  return ends.length === 0
    ? [`No price of ${titled(job)} has an end that I know.`]
    : [`The prices of ${titled(job)} hold:`, ...ends];
};

const duration: Answer = (_talk, { job }) => {
  if (job.status === "pending" || job.status === "running")
    return [`The search for ${titled(job)} takes minutes at most: ask "status" in a moment.`];
  const waits = waitingLines(job).length > 0;
  return [
    `The search for ${titled(job)} is done${waits ? ", and its lines wait for your approval" : ""}.`,
    "A booking takes seconds; when a seller then activates its deal I do not know.",
  ];
};

const isFreeToAsk = /\bfree\b|\bfor nothing\b|\bcosts? (?:me |us )?(?:something|anything|money)\b|\bcharge\b/i;

/** What holds before there is a campaign. */
export const generalFact = (text: string): Said | null =>
  isFreeToAsk.test(text) || facts[0]?.[0].test(text) === true
    ? {
        outcome: "answer",
        text:
          "Asking costs nothing, and I take no fee. Nothing is booked before you approve lines with their prices; " +
          "each seller then bills its deals by its own terms of payment.",
      }
    : null;

/** Of all campaigns. */
export const knownSellers = async (talk: Talk): Promise<Said> => {
  const listed = await called(talk, listSellers, {});
  if ("failed" in listed) return listed.failed;
  const words = listed.output.sellers.map(({ name, url, reachable, tier }) => {
    const shown = typeof name === "string" ? `${name} (${String(url)})` : String(url);
    const at = typeof tier === "string" ? `, price tier ${tier}` : "";
    return `- ${shown}: ${reachable === true ? "answers now" : "does not answer now"}${at}`;
  });
  const head = words.length === 0 ? "No seller is set up here." : "The sellers that are set up here, and that I ask:";
  return { outcome: "answer", text: [head, ...words].join("\n"), result: listed.output };
};

export const asksSellers = new RegExp(
  "\\b(?:which|what|who|how many)\\b.*\\b(?:sellers?|publishers?)\\b.*\\b(?:ask\\w*|know|contact\\w*|have|answer\\w*|" +
    "work with|quer\\w+|approach\\w*|used?|are there|set up)\\b|\\b(?:who|whom) (?:did|have|do) you (?:ask\\w*|" +
    "contact\\w*|know)\\b|\\b(?:list|show|tell|name)\\b.*\\b(?:sellers|publishers)\\b|" +
    "\\b(?:sellers?|publishers?) (?:did|have|do|were|was) (?:you )?(?:ask\\w*|contact\\w*|know|have|work)",
  "i",
);

const asksPlaces = /\b(?:from|in|only in|live in|based in)\b/i;

/** The first one that fits answers. */
const facts: readonly (readonly [asked: RegExp, answer: Answer])[] = [
  [
    new RegExp(
      "\\b(?:how|when|where|whom?) (?:(?:and|or) (?:how|when|where) )?(?:do|must|should|can|shall|will|would|have) " +
        "(?:i|we) (?:have to |need to )?pay\\b|\\bhow (?:i|we) pay\\b|" +
        "\\b(?:how|whom?|where|when) to pay\\b|\\b(?:invoic\\w+|billed|billing|bills?)\\b|" +
        "\\b(?:terms|methods?|way) of payment\\b|\\bpayment (?:terms|methods?|works?|date|due)\\b|" +
        "\\btake (?:already )?(?:my|our|the) (?:money|\\d)|\\bcredit card\\b|" +
        "\\bpay (?:already|now|in advance|upfront)\\b",
      "i",
    ),
    payment,
  ],
  [
    new RegExp(
      "\\b(?:can|could|may|is|are)\\b.*\\b(?:be (?:cancel\\w*|undone|stopped)|cancel\\w* (?:later|afterwards|still|" +
        "at any time|free|for free)|cancell?able|reinstat\\w+|refund\\w*|reversib\\w+|binding)\\b|" +
        "\\bcancell?ation (?:final|fee|free|costs?|terms|polic\\w+|deadline|period)\\b|" +
        "\\bis (?:a|the) cancell?ation\\b|" +
        "\\bmoney back\\b|\\bwhat if (?:i|we) (?:cancel|change my mind|want to cancel)\\b",
      "i",
    ),
    cancellable,
  ],
  [asksSellers, sellers],
  [/\bhow long\b.*\b(?:takes?|wait|need)\b|\bhow (?:fast|quickly|soon)\b/i, duration],
  [/\baverage\b|\bmean cpm\b|\bblended\b|\bavg\b/i, (_talk, { job }) => averageWords(job)],
  [/\bwhat (?:mean|means|do|is|are)\b.*\bwords?\b|\bexplain\b.*\b(?:words|terms|abbreviations)\b/i, glossary],
  [
    new RegExp(
      "\\b(?:prices?|quotes?|offers?)\\b.*\\b(?:expire|valid|hold|end|good for)\\b|" +
        "\\b(?:until when|how long)\\b.*\\b(?:prices?|quotes?|offers?|decide)\\b",
      "i",
    ),
    expiry,
  ],
  [
    new RegExp(
      "^(?!.*\\b(?:why|where|what (?:do|did|happen\\w*))\\b).*(?:" +
        "\\b(?:left|remain\\w*|unspent|still free|still there|available)\\b.*\\b(?:budget|money)\\b|" +
        "\\b(?:budget|money|of (?:the|my|our) \\d\\w*)\\b.*\\b(?:left|remain\\w*|unspent|still there|gone|free)\\b|" +
        "\\bhow much (?:is|do (?:i|we) have|have (?:i|we)|would be) (?:still )?left\\b)",
      "is",
    ),
    (_talk, { job }) => leftWords(job),
  ],
];

const ofStatement = new RegExp(
  "\\b(?:summary|summari[sz]e|overview|list|recap|statement|confirmation|report)\\b.*\\b(?:e-?mails?|forward|client|" +
    "boss|colleagues?|partner|finance|send on|pass on|(?:deal )?(?:ids?|references?))\\b|" +
    "\\b(?:forward|e-?mail)\\b.*\\bto (?:my|our|the|a) (?:client|boss|team|colleagues?|finance|manager)\\b",
  "is",
);
const placing = new RegExp(
  "\\b(?:gambling|alcohol|betting|adult content|politic\\w*|violen\\w*|brand[- ]?safe\\w*|competitors?|desktop|" +
    "which devices?)\\b",
  "i",
);
const ordering = /\b(?:approve|book|take|accept|buy|confirm|order|cancel|drop|remove|start|launch)\b/i;
const asksChannel = /^\W*(?:(?:and|so|ok|but)\W+)*(?:is|are) (?:it|that|this|they|these|those|there)\b/i;
const halving = /\b(?:half|halve|a part of (?:it|this|that|the line)|only part)\b/i;

const isTargeting = (text: string): boolean =>
  placing.test(text) ||
  (/\b(?:exclud\w+|left out|avoid\w*)\b/i.test(text) && exclusionsIn(text).length > 0) ||
  (asksPlaces.test(text) &&
    /\b(?:people|persons?|users|they|viewers|audience)\b/i.test(text) &&
    placesIn(text, () => false).length > 0);

const linesFrom = async (talk: Talk, which: Which, isAsking: boolean): Promise<readonly string[] | null> => {
  const { text, job } = which;
  if (halving.test(text) && waitingLines(job).length > 0) return inPart(talk, which);
  if (!isAsking && ordering.test(text)) return null;
  if (ofStatement.test(text)) return statement(job);
  if (!isAsking) return null;
  const limited = thresholdWords(text, job);
  if (limited !== null) return limited;
  const channels = asksChannel.test(text) ? channelsAsked(which) : null;
  if (channels !== null) return channels;
  if (isTargeting(text)) return notTargeted(talk, which);
  const found = facts.find(([asked]) => asked.test(text));
  return found === undefined ? null : found[1](talk, which);
};

/** What is known of a campaign beside its lines. Null where the message asks for something else. */
export const factOf = async (talk: Talk, which: Which, isAsking: boolean): Promise<Said | null> => {
  const lines = await linesFrom(talk, which, isAsking);
  if (lines === null) return null;
  return { outcome: "answer", text: lines.join("\n"), understood: { job_id: which.job.job_id } };
};
