import type { ModelCall, ModelReader } from "../../../talk/model/model-reader.ts";
import { isDoubtful } from "../../../talk/reader/cut.ts";
import { grammar } from "../reader/grammar.ts";
import type { Reader, Request, Situation } from "../reader/request.ts";
import { finderOf, readText } from "../reader/text.ts";
import { commandOfCall } from "./calls.ts";

interface HeardWords {
  readonly said: string;
  readonly isDoubt: boolean;
  readonly situation: Situation;
}

const requestOfCall = (call: ModelCall, { said, isDoubt, situation }: HeardWords): Request => {
  const { effect, dropped } = call;
  const isQuestion = effect === "read";
  const about = { said: isQuestion ? "" : said, evidence: {}, isQuestion, isDoubt };
  if (dropped.length > 0) return { ...about, command: "no evidence", input: { fields: dropped } };
  const { command, input } = commandOfCall(call, situation);
  const doubts = isDoubt && command === "brief change" ? [{ kind: "doubt" as const, words: said.slice(0, 200) }] : [];
  return { ...about, command, input: { ...input, terms: [...input.terms, ...doubts] } };
};

/**
 * A model reads first, and what it reads is answered by the commands of the grammar: it supplies no figure, day or id
 * of its own, and what would write is an option. Without its answer the grammar reads. A pick never comes here, and an
 * exact yes that takes nothing is not sent.
 */
export const createModelReading = (model: ModelReader): Reader => ({
  read: async (message, situation, attempt) =>
    (attempt === null ? null : await modelReading(model, message, situation, attempt)) ??
    grammar.read(message, situation, attempt),
});

const modelReading = async (model: ModelReader, message: string, situation: Situation, attempt: object) => {
  const { scan, isForeign, segments } = readText(message, situation);
  const { shown, nowMs } = situation;
  const finder = finderOf(situation);
  const reading = await model({ message: attempt, scan, shown, finder, nowMs, told: [] });
  if (reading === null) return null;
  const { calls, unanswered, doubt } = reading;
  const isDoubt = doubt || unanswered.length > 0 || segments.some((segment) => isDoubtful(scan, segment));
  const requests = calls.map((call) => requestOfCall(call, { said: message, isDoubt, situation }));
  return { requests, unread: unanswered, isForeign, by: "model" };
};
