import type { Part } from "@a2a-js/sdk";
import type { Queried } from "../../door/door-call.ts";
import { refusedOutcome } from "../../seam/run/gates.ts";
import { carriesKey, isKey, messageKey, placedKey } from "../../seam/run/idempotency.ts";
import type { Call, Outcome } from "../../seam/operation.ts";
import { asksDryRun } from "../../seam/run/dry-run.ts";
import { isGiven, isMembers } from "../../neutral/json-input.ts";
import { withNamedAgent } from "../../seam/named-agent.ts";
import { bugBody, refusalBody } from "../../neutral/refusal-body.ts";
import { Refused } from "../../neutral/refusals.ts";
import type { Runner } from "../../seam/run/run.ts";
import { fieldRefusal } from "../../neutral/validation.ts";
import type { Turn, TurnState } from "../turn.ts";
import type { Members } from "../../neutral/members.ts";

export interface Speaker {
  readonly from: Pick<Call, "admission" | "requestId" | "traceparent" | "ifMatch">;
  readonly queried: Queried;
  readonly seen: (outcome: Outcome) => void;
}

export interface Heard {
  /** Derived from id and content, so that only a true retry repeats it. */
  readonly retryKey: string;
  readonly contextId: string;
  readonly texts: readonly string[];
  readonly parts: readonly Readonly<Record<string, unknown>>[];
}

export const hear = (messageId: string, contextId: string, parts: readonly Part[]): Heard => {
  const texts: string[] = [];
  const heard: Members[] = [];
  for (const part of parts) {
    if (part.content?.$case === "text") texts.push(part.content.value);
    const value: unknown = part.content?.$case === "data" ? part.content.value : null;
    if (isMembers(value)) heard.push(value);
  }
  return { retryKey: messageKey(messageId, [contextId, parts]), contextId, texts, parts: heard };
};

const errorBody = (outcome: Outcome): Members => {
  if (outcome.kind === "done") return {};
  return outcome.kind === "bug"
    ? bugBody(outcome.requestId)
    : { ...refusalBody(outcome.refusal), status: outcome.status };
};

const twoAgents = (): Refused =>
  new Refused(fieldRefusal("agent_url", "A message names two agents. Send one agent_url."));

/** `dry_run` and `agent_url` may also stand beside the input. */
const inputOf = ({ contracts }: Runner, part: Members): unknown => {
  const given = part["input"] ?? {};
  const input = asksDryRun(part) && isMembers(given) ? { ...given, dry_run: true } : given;
  const { operation, agent_url: agentUrl } = part;
  if (!isGiven(agentUrl)) return input;
  const contract = contracts.find(({ name }) => name === operation);
  return withNamedAgent(contract, input, agentUrl, twoAgents);
};

/** An invalid key becomes the empty one, which is rejected. */
const callKeyOf = (part: Members, retryKey: string): string | null => {
  const { idempotency_key: ownKey } = part;
  if (carriesKey(part)) return isKey(ownKey) ? ownKey : "";
  return carriesKey(part["input"]) ? null : retryKey;
};

const approvalOf = (result: unknown): readonly string[] => {
  const approvalId = isMembers(result) ? result["approval_id"] : null;
  return typeof approvalId === "string" ? [approvalId] : [];
};

const writes = ({ contracts }: Runner, operation: string): boolean =>
  contracts.find(({ name }) => name === operation)?.effect !== "read";

const failedPart = (operation: string, error: Members): Turn => ({
  state: "failed",
  text: String(error["message"]),
  parts: [{ operation, error }],
});

const callNamed = async (runner: Runner, speaker: Speaker, retryKey: string, part: Members): Promise<Turn> => {
  const operation = String(part["operation"]);
  const outcome = await runner.run({
    operation,
    door: "a2a",
    ...speaker.from,
    input: () => ({ input: inputOf(runner, part), ...speaker.queried }),
    idempotencyKey: callKeyOf(part, retryKey),
  });
  speaker.seen(outcome);
  if (outcome.kind !== "done") return failedPart(operation, errorBody(outcome));
  const replayed = outcome.meta.replayed ? { replayed: true } : {};
  const { output: result } = outcome;
  const approvals = writes(runner, operation) ? approvalOf(result) : [];
  return { state: "completed", text: null, parts: [{ operation, result, ...replayed }], approvals };
};

/** Each further operation takes from the rate limit. */
const callNext = async (runner: Runner, speaker: Speaker, retryKey: string, part: Members): Promise<Turn> => {
  const refusal = await speaker.from.admission.countMore();
  if (refusal === null) return callNamed(runner, speaker, retryKey, part);
  return failedPart(String(part["operation"]), errorBody(refusedOutcome(null, refusal)));
};

interface Understood {
  readonly skill: string | null;
  readonly understood: Members;
  readonly outcome: string;
  readonly result: unknown;
  readonly options?: readonly unknown[];
  /** The option that the reply asks about. */
  readonly armed?: string | null;
}

/** False where the agent itself declined, for example what it does not sell. */
const isRefusedCall = ({ outcome, result }: Understood): boolean =>
  outcome === "refuse" && isMembers(result) && result["error"] !== undefined;

const isQuestion = ({ outcome, armed }: Understood): boolean =>
  outcome === "clarify" || outcome === "pending" || (armed ?? null) !== null;

/** A question outweighs a refusal: its answer continues the conversation. */
const stateAfter = (answers: readonly Understood[]): TurnState => {
  if (answers.some(isQuestion)) return "input-required";
  // "What does Times Square cost, and what is PG?": what has no price is a refusal, and the other question is answered.
  const isAnswered = answers.some(({ skill, outcome }) => skill !== null && outcome === "answer");
  if (answers.some(isRefusedCall) && !isAnswered) return "failed";
  // A greeting or thanks did nothing: the task stays open.
  const isSmallTalk = answers.every(({ skill, outcome }) => skill === null && outcome === "answer");
  return isSmallTalk ? "input-required" : "completed";
};

const askedOf = ({ texts, contextId, parts }: Heard, slots: Members): unknown => {
  const asked: unknown = { text: texts.join("\n"), context_id: contextId, slots };
  const named = parts.reduce((input, part) => withNamedAgent(undefined, input, part["agent_url"], twoAgents), asked);
  return parts.some(asksDryRun) ? { ...(named as Members), dry_run: true } : named;
};

const converse = async (runner: Runner, speaker: Speaker, heard: Heard): Promise<Turn> => {
  const slots = Object.assign({}, ...heard.parts) as Members;
  const { idempotency_key: ownKey } = slots;
  const outcome = await runner.run({
    operation: "converse",
    door: "a2a",
    ...speaker.from,
    input: () => ({ input: askedOf(heard, slots), ...speaker.queried }),
    idempotencyKey: callKeyOf({ idempotency_key: ownKey }, heard.retryKey),
  });
  speaker.seen(outcome);
  if (outcome.kind !== "done") {
    const error = errorBody(outcome);
    const parts = [{ skill: null, understood: {}, outcome: "refuse", result: error }];
    return { state: "failed", text: String(error["message"]), parts };
  }
  const { text, answers } = outcome.output as { text: string; answers: readonly Understood[] };
  const parts = answers.map((answer) => ({ ...answer }));
  const approvals = answers
    .filter((answer) => answer.outcome === "pending")
    .flatMap(({ result }) => approvalOf(result));
  const options = answers.flatMap((answer) => answer.options ?? []);
  const armed = answers.map((answer) => answer.armed ?? null).find((option) => option !== null) ?? null;
  return { state: stateAfter(answers), text, parts, approvals, options, armed };
};

/** Each call takes from the rate limit, so that one message cannot hide a flood. */
const mostCalls = 50;

const tooManyCalls: Turn = {
  state: "failed",
  text: `A message may call at most ${mostCalls} operations. Send several messages.`,
  parts: [],
};

/** Calls every data part that names an operation, in order; without one the text is interpreted. */
export const answerMessage = async (runner: Runner, speaker: Speaker, heard: Heard): Promise<Turn> => {
  const named = heard.parts.filter((part) => typeof part["operation"] === "string");
  if (named.length === 0) return converse(runner, speaker, heard);
  if (named.length > mostCalls) return tooManyCalls;
  const turns: Turn[] = [];
  for (const [place, part] of named.entries()) {
    const key = place === 0 ? heard.retryKey : placedKey(heard.retryKey, place);
    turns.push(await (place === 0 ? callNamed : callNext)(runner, speaker, key, part));
  }
  const texts = turns.map((turn) => turn.text).filter((text) => text !== null);
  return {
    state: turns.some((turn) => turn.state === "failed") ? "failed" : "completed",
    text: texts.length === 0 ? null : texts.join("\n"),
    parts: turns.flatMap((turn) => turn.parts),
    approvals: turns.flatMap((turn) => turn.approvals ?? []),
  };
};
