import type { Request } from "../reader/request.ts";
import { answered, type Said, type Talk } from "../talk.ts";
import { waitingLines } from "./job.ts";

const menuOf = async (talk: Talk): Promise<readonly string[]> => {
  const { job, memory } = talk.situation;
  if (memory.brief !== null) return ["show the brief", "start it", "what is missing?"];
  if (job === null) return ["what campaigns do I have?", "help"];
  if (waitingLines(job).length > 0) return ["status", "compare", "approve all"];
  return ["status", "what is booked?", "what campaigns do I have?"];
};

/** Nothing fits: at most three things that may be meant, which a number picks. */
export const meantMenu = async (talk: Talk, request: Request): Promise<Said> => {
  const items = await menuOf(talk);
  const text = [
    "I did not understand that, and nothing is changed. Did you mean:",
    ...items.map((one, at) => `${at + 1}. ${one}`),
  ];
  return {
    outcome: "clarify",
    text: text.join("\n"),
    notUsed: [request.said],
    reason: "menu",
    menu: items,
    isBeside: true,
    understood: { ...talk.memory.brief },
  };
};

export const noAnswer = (said: string): string => `I have no answer to "${said}".`;

export const notAnswered = (said: string): Said =>
  answered(noAnswer(said), { notUsed: [said], reason: "unanswered", isBeside: true, isUnasked: true });

/** "I did not understand that" stands beside no answer to the rest of the message. */
export const withoutMenus = (all: readonly Said[]): readonly Said[] =>
  all.length < 2 ? all : all.map((one) => (one.reason === "menu" ? notAnswered(one.notUsed?.join(" ") ?? "") : one));

export const helpWords = [
  "I read a campaign brief in words: spend 50k on display and CTV in March 2027 for sports fans, awareness, max 25",
  'CPM. Correct it ("make it 60k", "only CTV"). Then: "status", "compare", "approve all but the most expensive",',
  '"approve 1 and 3", "drop 2", "cancel". Nothing is done without your yes to what was shown.',
].join(" ");

/** Fields that a model named and no words say. */
export const noEvidence = (_talk: Talk, { input }: Request): Said => {
  const fields = (input["fields"] as readonly string[]).map((name) => name.replaceAll("_", " ")).join(" and which ");
  const text = `Which ${fields} do you mean? I found no words for it in your message. Nothing is changed.`;
  return { outcome: "clarify", text, reason: "no_evidence" };
};
