import { shownBrief } from "../brief/shown.ts";
import type { Early } from "../reader/early.ts";
import type { Request } from "../reader/request.ts";
import { answerOf } from "../brief/questions.ts";
import { answered, type Said, type Talk } from "../talk.ts";
import { capital, usd } from "./job.ts";
import { listedPrices } from "./market.ts";

const notYet = ({ memory: { brief } }: Talk): string =>
  brief === null
    ? "you have no campaign yet"
    : `the brief${brief.name === undefined ? "" : ` "${brief.name}"`} is not started`;

/** Campaigns of other conversations may have bookings. */
const nothing = ({ situation: { jobs } }: Talk): string =>
  jobs.length === 0 ? "Nothing is booked" : "Nothing of the open brief is booked";

const noLines = (talk: Talk, words: string): string =>
  `${capital(notYet(talk))}, so there are no lines and no prices yet for "${words}".`;

const earlyWords = async (talk: Talk, { input, said }: Request): Promise<string | readonly string[]> => {
  const { brief } = talk.memory;
  switch (input["early"] as Early) {
    case "booked":
    case "left": {
      const budget = brief?.budget === undefined ? "" : ` of ${usd(brief.budget)}`;
      const left = brief === null ? "" : `, and the whole budget${budget} is left`;
      return `${nothing(talk)}${left}: ${notYet(talk)}.`;
    }
    case "delivery":
      return `${nothing(talk)}, so nothing is delivered: ${notYet(talk)}.`;
    case "cost":
      return answerOf(brief ?? {}, { about: "cost", channels: [], isPlacing: false }) ?? "";
    case "dearer":
      return [
        `The sellers set the prices, and they are asked after the start: ${notYet(talk)}.`,
        ...(await listedPrices(talk, (input["channels"] as readonly string[] | undefined) ?? [])),
      ];
    case "lines":
      return noLines(talk, said);
  }
};

/** What is said of a campaign before there is one, about a part of a message. */
export const early = async (talk: Talk, request: Request): Promise<Said> => {
  const { brief, doubts } = talk.memory;
  const said = answered(await earlyWords(talk, request));
  if (brief === null) return said;
  const shown = shownBrief(brief, talk.context.nowMs, { stillOpen: doubts, head: [said.text], isAnswer: true });
  return { ...shown, isUnasked: !request.isQuestion };
};
