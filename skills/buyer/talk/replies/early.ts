import type { Early } from "../reader/early.ts";
import { answerOf } from "../brief/questions.ts";
import { answered, type Said, type Talk } from "../talk.ts";
import { capital, usd } from "./job.ts";
import { pricesOf } from "./market.ts";

const nameOf = ({ memory: { brief } }: Talk): string =>
  brief === null
    ? "you have no campaign yet"
    : `${brief.name === undefined ? "the brief" : `"${brief.name}"`} is not started`;

const noLines = (talk: Talk, words: string): string =>
  `${capital(nameOf(talk))}, so there are no lines and no prices yet for "${words}".`;

/** What is said of a campaign before there is one, about a part of a message. */
export const early = async (talk: Talk, kind: Early, channels: readonly string[], words: string): Promise<Said> => {
  const { brief } = talk.memory;
  switch (kind) {
    case "booked":
    case "left": {
      const budget = brief?.budget === undefined ? "" : ` of ${usd(brief.budget)}`;
      const left = brief === null ? "" : `, and the whole budget${budget} is left`;
      return answered(`Nothing is booked${left}: ${nameOf(talk)}.`);
    }
    case "delivery":
      return answered(`Nothing is booked, so nothing is delivered: ${nameOf(talk)}.`);
    case "cost":
      return answered(answerOf(brief ?? {}, { about: "cost", channels: [], isPlacing: false }) ?? "");
    case "dearer":
      return answered([
        `The sellers set the prices, and they are asked after the start: ${nameOf(talk)}.`,
        ...(await pricesOf(talk, channels)),
      ]);
    case "per line":
      return answered([noLines(talk, words), "A limit for one line or one channel I cannot hold: you approve or drop each line at its price."]);
    case "lines":
      return answered(noLines(talk, words));
  }
};
