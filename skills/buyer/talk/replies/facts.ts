import { listSellers } from "../../registry/contract.ts";
import type { BriefInput } from "../brief/form.ts";
import { noCreatives } from "../brief/questions.ts";
import { meaningsIn } from "../glossary.ts";
import type { Request } from "../reader/request.ts";
import { says } from "../reader/words.ts";
import { answered, called, type Said, type Talk } from "../talk.ts";
import { cancelExample, sellerOf } from "./deals.ts";
import { bookedLines, exampleOf, type Job, placeWords, rowsOf, titled, waitingLines } from "./job.ts";

type Answer = (job: Job) => readonly string[];

export const ofLines = (job: Job): string => {
  const urls = [...new Set((job.recommendations ?? []).map((line) => line.seller_url))];
  return urls.length === 0 ? "none has offered anything yet" : urls.map((url) => sellerOf(job, url)).join(", ");
};

/** "Which publisher is it?" */
export const sellersOfLines: Answer = (job) => {
  const lines = rowsOf(job).filter(({ line }) => line.status !== "rejected");
  const urls = new Set(lines.map(({ sellerUrl }) => sellerUrl));
  if (lines.length === 0) return [`Sellers of ${titled(job)}: ${ofLines(job)}.`];
  if (urls.size === 1)
    return [`Seller of ${lines.length === 1 ? "the line" : "all lines"} of ${titled(job)}: ${ofLines(job)}.`];
  return [`Of ${titled(job)}:`, ...lines.map((row) => `${placeWords(row)}: from ${sellerOf(job, row.sellerUrl)}`)];
};

/** Beside an order to cancel. */
export const cancelFee =
  "I take no fee for a cancellation. Whether the seller takes one, pays anything back or books the same again I do " +
  "not know: ask the seller.";

export const cancellable: Answer = (job) => {
  const booked = bookedLines(job);
  const waits = waitingLines(job).length > 0;
  return [
    ...(waits ? [`What waits can be dropped at any time, at no cost: say for example ${exampleOf("drop", job)}.`] : []),
    `A booked deal of ${titled(job)} can be cancelled where its seller agrees; until then it stays booked.`,
    ...(booked.length === 0 ? [] : [cancelExample(booked)]),
    "A cancellation is final: nothing is taken back here, but the same can be planned again with a new brief.",
    cancelFee,
  ];
};

export const notTargeted: Answer = (job) => [
  `No: sellers are not asked to leave out or to choose sites, topics, apps, devices, people, places, days or hours, ` +
    `and on which ones the lines of ${titled(job)} run I do not know. Ask the seller: ${ofLines(job)}.`,
];

export const notExcluded: Answer = (job) => [
  `I cannot leave out sites, apps, people or days: sellers are not asked for it. ${titled(job)} stays.`,
  ...(waitingLines(job).length === 0
    ? []
    : [`You can book a part (${exampleOf("approve", job)}) or drop a line (${exampleOf("drop", job)}).`]),
];

/** For whom it is, and never who sells it. */
export const client: Answer = (job) => {
  const { advertiser } = job.brief as BriefInput;
  return [
    advertiser == null || advertiser === ""
      ? `No client was named in the brief of ${titled(job)}.`
      : `The client of ${titled(job)} is ${advertiser}.`,
  ];
};

export const creatives: Answer = (job) => [`${noCreatives} Of ${titled(job)} that is: ${ofLines(job)}.`];

/** The buyer has no desk of people: whoever writes here is its operator. */
export const person: readonly string[] = [
  "No person reads along here, and I pass nothing on: you decide, and nothing is done without your yes.",
  "People of a seller are asked at the seller itself.",
];

export const glossary: Answer = (job) => {
  const lines = job.recommendations ?? [];
  return ["CPM", "impressions", ...new Set(lines.flatMap((line) => [line.deal_type, line.channel]))].flatMap((word) =>
    meaningsIn(word.toLowerCase().split("_")),
  );
};

export const expiry: Answer = (job) => {
  const ends = (job.recommendations ?? [])
    .filter(({ status }) => status === "pending_approval")
    .flatMap(({ product_name: name, quote_expires_at: at }) => (at === null ? [] : [`- ${name}: until ${at}`]));
  return ends.length === 0
    ? [`No price of ${titled(job)} has an end that I know.`]
    : [`The prices of ${titled(job)} hold:`, ...ends];
};

export const duration: Answer = (job) => {
  if (job.status === "pending" || job.status === "running")
    return [`The search for ${titled(job)} takes minutes at most: ask "status" in a moment.`];
  const waits = waitingLines(job).length > 0;
  return [
    `The search for ${titled(job)} is done${waits ? ", and its lines wait for your approval" : ""}.`,
    "A booking takes seconds; when a seller then activates its deal I do not know.",
  ];
};

/** What delivery tells: impressions and money. */
export const noClicks =
  "Clicks are not reported here: of delivery I know impressions and money spent, so no cost per click is known.";

/** Of no campaign. */
export const cancelRules =
  "What waits for your approval is dropped at no cost. A booked line ends only where its seller agrees: I ask it, " +
  `and until then the line stays booked. ${cancelFee}`;

/** What holds before there is a campaign. */
export const generalWords =
  "Asking costs nothing, and I take no fee. Nothing is booked before you approve lines and their prices; each " +
  "seller then bills its deals by its own terms of payment.";

/** Once there are bookings. */
export const billedWords =
  "I take no fee. Sellers bill their deals themselves, by their own terms of payment; no invoice is known here. What " +
  "is charged, when it is due, and what is paid back for a cancelled deal only the seller tells: ask it.";

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
  return answered([head, ...words], { result: listed.output });
};

/** "Which sellers are those deals with?" */
export const ofThose = /\b(?:those|these|them|this|that|deals?|lines?)\b/i;

const ofFigures: ReadonlySet<string> = new Set(["delivery", "booked", "cost"]);

/** "What came out of it, per seller?" */
export const withSellers = (job: Job, { command, said: words }: Request, said: Said): Said =>
  ofFigures.has(command) && /\b(?:seller|publisher)s?\b/i.test(words)
    ? { ...said, text: [said.text, ...sellersOfLines(job)].join("\n") }
    : said;

export const sellerWords = "seller sellers publisher publishers whom behind sells sold";
export const asksSeller = (said: string): boolean =>
  says(said.toLowerCase(), sellerWords) && !says(said.toLowerCase(), "compare comparison side difference");
