import { prepared } from "../../understanding/reading/clauses.ts";
import { plainConsent } from "../../understanding/reading/consent.ts";
import type { Draft } from "../../talk/gate/record.ts";
import { shownLate } from "./brief/shown.ts";
import { startIn } from "./brief/turn/sentences.ts";
import { jobOf } from "./jobs/meant/which.ts";
import { nextWords, titled } from "./jobs/wording.ts";
import { type DraftKind, isAskedToStart, kindOf, offered, type Said, type Talk } from "./talk.ts";
import { isAsking } from "./turn/parts.ts";

/** What was open is closed; what is kept is said. */
export const dropped = async (talk: Talk): Promise<Said> => {
  const { brief, job: kept } = talk.memory;
  const head = "Nothing is started, booked or cancelled.";
  if (brief !== null && (talk.asked === null || kindOf(talk.asked) === "start")) {
    return { outcome: "answer", text: `${head} The brief is kept: say what to change, or "show the brief".` };
  }
  const job = kept === null ? null : await jobOf(talk, kept.id);
  const next = job === null || "failed" in job ? "" : ` Of ${titled(job.output)}: ${nextWords(job.output)}`;
  return { outcome: "answer", text: `${head}${next}` };
};

const lateYes = "Nothing waits for a yes at once, as something was asked in between. Once more:";

/** What was shown is shown again, as it reads now. */
export const again = (draft: Draft, text: string): Said => offered(draft, { text });

/** A brief is kept until it is started: a yes that comes late shows it in full again, as all that was asked about. */
const late = async (talk: Talk): Promise<Said> => {
  const { brief } = talk.memory;
  if (talk.held !== null && !isAskedToStart(talk)) return again(talk.held, lateYes);
  if (brief !== null) return shownLate(talk, brief);
  const { text, ...said } = await dropped(talk);
  return { ...said, outcome: "clarify", text: `Nothing waits for a yes. ${text}` };
};

/** Thanks and praise are no yes: what is open is shown anew. */
export const thanked = async (talk: Talk): Promise<Said> => {
  const { asked } = talk;
  if (asked !== null && kindOf(asked) === "start") return late(talk);
  if (asked !== null && kindOf(asked) === "book") return again(asked, notExact);
  return { outcome: "answer", text: "You are welcome. Nothing was changed by this message." };
};

const openWords: Readonly<Record<DraftKind, string>> = {
  start: "the campaign that I showed",
  book: "the booking that I showed",
  drop: "what I asked about dropping",
  "cancel campaign": "the cancellation that I asked about",
  "cancel deal": "the cancellation that I asked about",
};

/** An answered question leaves open what was asked before it, but a yes must see it again. */
export const stillWaits = async (talk: Talk, said: Said): Promise<Said> => {
  const draft = talk.asked ?? talk.held;
  const isOther = draft === null || isAskedToStart(talk) || said.draft !== undefined;
  if (isOther || said.outcome !== "answer" || !isAsking(talk.text)) return said;
  const found = await jobOf(talk, String(draft.input["job_id"]));
  const name = "failed" in found ? "" : ` for ${titled(found.output)}`;
  const words = `Still open, and not done: ${openWords[kindOf(draft)]}${name}. Say "yes" to see it again.`;
  return { ...said, text: `${said.text}\n${words}`, isBeside: true };
};

const moreThanYes = "Your message was more than a plain yes, so what I asked is still open:";
const asksBesideYes =
  /^\s*(?:yes|yep|yeah|yup|sure|ok|okay|fine)\b.*(?:\?\W*$|\b(?:what|how|which|when|who|where|why)\b)/is;
const holdsBack = /\b(?:not|no|never|wait|hold|stop)\b|n't\b/i;

/** A yes beside a question is no plain yes, nor is it lost: the question is answered, and what was open stays open. */
export const besideYes = ({ asked, text }: Talk, said: Said): Said => {
  const isBeside = asksBesideYes.test(text) && !holdsBack.test(text);
  if (asked === null || said.draft !== undefined || said.outcome !== "answer" || !isBeside) return said;
  return again(asked, `${said.text}\n${moreThanYes}`);
};

export const notExact = 'Nothing is done yet. Only a plain yes does it: "yes" or "go ahead".';

const leadingYes = /^\W*(?:yes|yep|yeah|yup|sure)\b/i;

/** Words that agree or refuse, and that the gate did not take: what is open is shown again. Null where they do not. */
export const consented = async (talk: Talk): Promise<Said | null> => {
  const { asked, memory } = talk;
  const isBrief = asked === null ? memory.brief !== null : kindOf(asked) === "start";
  const consent = isBrief && startIn(prepared(talk.text)) !== null ? "yes" : plainConsent(talk.text)?.kind;
  if (consent === undefined) return null;
  if (consent === "no") return dropped(talk);
  if (asked === null) return consent === "yes" ? late(talk) : null;
  const kind = kindOf(asked);
  if (consent === "yes" || leadingYes.test(talk.text)) return again(asked, notExact);
  if (consent === "reject" || consent === "cancel") return kind.startsWith("cancel") ? null : dropped(talk);
  return kind === "book" ? again(asked, notExact) : null;
};
