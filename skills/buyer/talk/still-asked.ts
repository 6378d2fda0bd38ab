import { isDeepStrictEqual } from "node:util";
import { namesOrder } from "./reader/of-campaign.ts";
import type { Request } from "./reader/request.ts";
import { kindOf, offered, type Said, type Talk } from "./talk.ts";

const agrees = /^\s*(?:yes|yep|yeah|yup|sure|ok|okay|fine)\b/i;
const holds = /\d|\b(?:not|no|never|wait|hold|stop|if|unless|should|wish)\b|n't\b/i;
const conditions = /\b(?:as long as|provided|providing|assuming|suppose|once|until|before|after|when)\b/i;
/** "Yes, in May we start": what is for another time is asked about with no yes now. */
const otherTime = /\b(?:tomorrow|tonight|later|soon|next|hour|week|month|in (?!this|that|total|all|one)\w+)\b/i;

/** A yes beside a question is no plain yes, nor is it lost: the question is answered, and what was open stays open. */
export const stillAsked = ({ asked }: Talk, text: string, requests: readonly Request[], said: Said): Said => {
  const isHeld = [holds, conditions, otherTime].some((words) => words.test(text));
  const { draft } = said;
  // "Yes, cancel it, and then the new brief as I wrote it": what is asked about is ordered again, with more beside it.
  const isAgain =
    draft !== undefined && said.isUnasked === true && agrees.test(text) && isDeepStrictEqual(draft.input, asked?.input);
  if (asked === null || isHeld || kindOf(asked) === "start" || (draft !== undefined && !isAgain)) return said;
  const isSame =
    requests.length === 1 &&
    requests.every(
      ({ command, input, isDoubt }) =>
        !isDoubt &&
        ["approve", "drop", "cancel", "unknown", "change"].includes(command) &&
        ((input["pick"] as { readonly lines?: readonly unknown[] } | undefined)?.lines ?? []).every(
          (line) => (line as { readonly by: string }).by === "all",
        ),
    );
  if (isAgain || (isSame && (agrees.test(text) || said.reason === "which_lines")))
    return offered(asked, { text: 'Nothing is done yet. Only a plain yes does it: "yes" or "go ahead".' });
  const isAsked =
    requests.some((request) => request.isQuestion) && !requests.some((request) => namesOrder(request.said));
  const isBeside = agrees.test(text) && said.outcome === "answer" && isAsked;
  return isBeside
    ? offered(asked, { text: `${said.text}\nYour message was more than a plain yes, so what I asked is still open:` })
    : said;
};

/** A yes that other words hold back is told, never lost: what it was for stays open. A brief tells its own state. */
export const withHeldBack = ({ asked }: Talk, text: string, said: Said): Said => {
  const { draft, others = [] } = said;
  if (asked === null || kindOf(asked) === "start") return said;
  const all = [...(draft === undefined ? [] : [draft]), ...others];
  if (all.some(({ input }) => isDeepStrictEqual(input, asked.input))) return said;
  // "All" must not take two deeds that share lines.
  const drafts = all.filter((one) => kindOf(one) !== kindOf(asked) || one.input["job_id"] !== asked.input["job_id"]);
  const why = "That is not done yet, as your message says more. Still open:";
  const isUnasked = [holds, conditions].some((words) => words.test(text));
  return offered(asked, { ...said, text: [said.text, why].join("\n").trim(), others: drafts, isUnasked });
};
