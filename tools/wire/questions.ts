import { createHash } from "node:crypto";
import {
  createRequestStateCodec,
  type InputRequests,
  inputRequired,
  type RequestStateCodec,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { canonicalJson } from "../../protocol/neutral/canonical.ts";
import { isMembers } from "../../protocol/neutral/json-input.ts";
import type { Members, Question, Request } from "../surface/surface.ts";

/** Goes to the client with the questions and comes back, signed, with the answers. */
export interface AskState {
  /** Of earlier rounds. */
  readonly answers: Readonly<Record<string, Members>>;
  /** The digests of what was shown: an answer counts for nothing else. */
  readonly asked: Readonly<Record<string, string>>;
}

/** Ends the call with its questions; the client makes it anew with the answers (MCP 2026-07-28, MRTR). */
class InputNeeded extends Error {
  readonly questions: Readonly<Record<string, Question>>;
  readonly state: AskState;

  constructor(questions: Readonly<Record<string, Question>>, state: AskState) {
    super("the client is asked");
    this.questions = questions;
    this.state = state;
  }
}

const digestOf = (question: Question): string =>
  createHash("sha256").update(canonicalJson(question)).digest("base64url");

const elicitActions = ["accept", "decline", "cancel"];

/** A member that the method's answer must have; what lacks it is asked for again. */
const isAnswer = ({ method }: Question, answer: unknown): answer is Members => {
  if (!isMembers(answer)) return false;
  if (method === "elicitation/create") return elicitActions.includes(String(answer["action"]));
  return method === "roots/list" ? Array.isArray(answer["roots"]) : isMembers(answer["content"]);
};

const capabilityOf: Readonly<Record<Question["method"], string>> = {
  "elicitation/create": "elicitation",
  "sampling/createMessage": "sampling",
  "roots/list": "roots",
};

/** Shared by all processes of an agent, so that any of them takes the answers; bound to who was asked. */
export const requestStates = (
  key: Uint8Array,
  principalOf: (context: ServerContext) => string,
): RequestStateCodec<AskState> =>
  createRequestStateCodec({ key, bind: (context) => `${context.mcpReq.method}\0${principalOf(context)}` });

/** Ends the call with what is left to ask. */
export const askingAnew = ({ mcpReq }: ServerContext, capabilities: Members): Pick<Request, "ask" | "canAsk"> => {
  const { answers: known = {}, asked = {} } = mcpReq.requestState<AskState>() ?? {};
  const given = mcpReq.inputResponses ?? {};
  const answers: Record<string, Members> = { ...known };
  return {
    canAsk: (method) => isMembers(capabilities[capabilityOf[method]]),
    ask: async (questions) => {
      const open: Record<string, Question> = {};
      for (const [key, question] of Object.entries(questions)) {
        const isShown = asked[key] === digestOf(question);
        const answer = answers[key] ?? given[key];
        if (isShown && isAnswer(question, answer)) answers[key] = answer;
        else open[key] = question;
      }
      const left = Object.entries(open);
      if (left.length === 0) return answers;
      const shown = Object.fromEntries(left.map(([key, question]) => [key, digestOf(question)]));
      throw new InputNeeded(open, { answers, asked: { ...asked, ...shown } });
    },
  };
};

/** What the call answers instead where it has a question. */
export const orQuestions = async <T>(
  run: () => Promise<T>,
  context: ServerContext,
  { mint }: RequestStateCodec<AskState>,
): Promise<T | ReturnType<typeof inputRequired>> => {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof InputNeeded)) throw error;
    return inputRequired({
      inputRequests: error.questions as unknown as InputRequests,
      requestState: await mint(error.state, context),
    });
  }
};
