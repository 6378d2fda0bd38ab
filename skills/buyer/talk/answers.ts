import { isForeign, mostRead, prepared } from "../../understanding/reading/clauses.ts";
import { aboutBrief, newBrief, openQuestion } from "./brief/talk.ts";
import type { BriefInput, ReadBrief } from "./brief/input.ts";
import { asWritten } from "./brief/as-written.ts";
import { readBrief } from "./brief/reading.ts";
import { inEnglish } from "./brief/vocabulary.ts";
import { consented, dropped, thanked } from "./consent.ts";
import { explained } from "./glossary.ts";
import { help, lastResort } from "./help.ts";
import { aboutJob } from "./jobs/talk.ts";
import { keptJob } from "./jobs/which.ts";
import { listJobs } from "./jobs/questions.ts";
import { isAskedToStart, type Said, type Talk } from "./talk.ts";

/** It says by itself what a campaign is: another one than the open one. */
const isWhole = (brief: BriefInput, open: BriefInput | null): boolean => {
  if (brief.budget === undefined || (brief.start_date === undefined && brief.channels === undefined)) return false;
  return open === null || (brief.target_audience !== undefined && brief.start_date !== undefined);
};

/** Of a campaign that exists: "move 20k from audio to CTV" is no brief. */
const isOrder = new RegExp(
  "^\\W*(?:(?:then|please|pls|ok|and|can you|could you|no)\\W+)*(?:move|shift|change|swap|" +
    "replace|reduce|raise|increase|lower|make|approve|book|cancel|drop|why)\\b",
  "i",
);

const asksList = new RegExp(
  "\\b(?:what|which|list|show|all|my|any|how many|other)\\b[^.?!]*\\b(?:jobs|campaigns|" +
    "bookings)\\b|\\bwhich of (?:them|these|those)\\b|" +
    "\\b(?:every|each) (?:job|campaign|booking)\\b|^\\W*(?:jobs|campaigns|bookings)\\W*$",
  "i",
);
const asksPlan = new RegExp(
  "\\b(?:plan|advertise|promote|launch|new (?:campaign|brief)|(?:start|create|make|set up|run|" +
    "book|need|want) (?:me )?(?:a|an|my|our|some) (?:new )?(?:campaign|ads?|advertising|" +
    "media plan))\\b",
  "i",
);
const asksHelp = new RegExp(
  "^\\W*(?:(?:hi|hello|hey|hallo|hola|sorry)\\b[\\s,!.]*)*(?:help(?: me)?|(?:so )?what (?:can|" +
    "do) (?:you|i) (?:do|say|ask)(?: here)?|how does (?:this|it) work|what are you|who are you|" +
    "(?:hi|hello|hey|hallo|good (?:morning|afternoon|evening))(?: there| all| team| everyone)?)\\W*$",
  "i",
);
const courtesy = new RegExp(
  "^\\W*(?:(?:many |very |vielen |muchas )?(?:thanks?|thank you|thx|ty|cheers|danke|merci|" +
    "gracias|obrigad[oa]|great|nice|cool|perfect|awesome|super|good|fine|lovely|bye|goodbye|ciao|" +
    "so much|a lot|very much|for (?:your|the) help|all good|have a nice day|schon)\\b\\W*)+$",
  "i",
);

const isKnown = ({ brief }: ReadBrief): boolean => brief.budget !== undefined || Object.keys(brief).length > 1;

const heard = async (talk: Talk, text: string): Promise<Said> => {
  const { brief: open } = talk.memory;
  const job = keptJob(talk);
  if (courtesy.test(text)) return thanked(talk);
  if (asksHelp.test(text)) return help(talk);
  const term = explained(text);
  if (term !== null) return { outcome: "answer", text: term };
  const { brief: plain, ...beside } = readBrief(text, talk.context.nowMs);
  const read = { brief: asWritten(plain, talk.text), ...beside };
  if (isWhole(read.brief, open) && !(job !== null && isOrder.test(text))) return newBrief(read, talk.context.nowMs);
  if (asksList.test(text)) return listJobs(talk);
  const isOwnBrief = open === null && job === null && isKnown(read);
  if (isOwnBrief && !isOrder.test(text)) return newBrief(read, talk.context.nowMs);
  if (open === null && job === null && asksPlan.test(text)) return newBrief(read, talk.context.nowMs);
  const isBriefFirst = isAskedToStart(talk) || job === null || /\bbrief\b/i.test(text);
  const first = isBriefFirst ? aboutBrief(talk, text) : null;
  const said =
    first ?? (await aboutJob(talk, text)) ?? openQuestion(talk, text) ?? (isBriefFirst ? null : aboutBrief(talk, text));
  if (said !== null) return said;
  if (open === null && isKnown(read)) return newBrief(read, talk.context.nowMs);
  if (/^\W*no+\b/i.test(text)) return dropped(talk);
  return lastResort(talk);
};

/** "Dont", "cant" as they are said in chats. */
const apostrophes = (text: string): string =>
  text.replace(/\b(do|does|is|are|was|did|should|would|could|have|ca)nt\b/gi, "$1n't");

export const answer = async (talk: Talk): Promise<Said> => {
  const agreed = await consented(talk);
  if (agreed !== null) return agreed;
  if (talk.text.length > mostRead) {
    return {
      outcome: "clarify",
      text: `I read at most ${mostRead} characters. Send a shorter message.`,
      notUsed: ["all"],
    };
  }
  const plain = prepared(talk.text);
  const text = inEnglish(apostrophes(plain));
  const said = await heard(talk, text);
  return isForeign(talk.text) || text !== apostrophes(plain)
    ? { ...said, text: `${said.text}\nI answer in English.` }
    : said;
};
