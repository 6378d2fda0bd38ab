import { type Refusal, type RefusalCode, refusalTable, refuse } from "../neutral/refusals.ts";
import { isMembers } from "../neutral/json-input.ts";
import type { Admission } from "../seam/admission.ts";
import type { Call, Outcome } from "../seam/operation.ts";
import { refusedOutcome } from "../seam/run/gates.ts";
import type { Runner } from "../seam/run/run.ts";

/** `off`: there is none; `calls`: for calls whose header asks for it; `all`: the whole agent is one. */
export type SandboxMode = "off" | "calls" | "all";

/** Of requests and of answers. */
export const sandboxHeader = "x-parley-sandbox";

type Headers = Readonly<Record<string, string | readonly string[] | undefined>>;

/** Null: nothing is asked. A code is a call in the sandbox that is to be refused so. */
type Asked = boolean | RefusalCode | "unclear" | null;

const isCode = (text: string): text is RefusalCode => Object.hasOwn(refusalTable, text);

/** What is unclear must not buy. */
const askedBy = (headers: Headers): Asked => {
  const value = headers[sandboxHeader];
  if (value === undefined) return null;
  const text = String(value).trim().toLowerCase();
  if (text === "true" || text === "false") return text === "true";
  return isCode(text) ? text : "unclear";
};

/** Whether the request is one for the sandbox beside the agent. */
export const isForSandbox = (headers: Headers): boolean => {
  const asked = askedBy(headers);
  return asked === true || (typeof asked === "string" && asked !== "unclear");
};

const unclear = refuse("sandbox_refused", {
  message:
    "X-Parley-Sandbox is true, false, or the code of the refusal that is to be answered. Nothing was done. Send one " +
    "of them, or leave the header out.",
});

const notOffered = refuse("sandbox_refused", {
  message:
    "This agent has no sandbox for single calls, and nothing was done. Leave X-Parley-Sandbox out for real business, " +
    "or ask the operator to start it with SANDBOX=calls.",
});

const sandboxOnly = refuse("sandbox_refused", {
  message: "This whole agent is a sandbox, so it does no real business. Leave X-Parley-Sandbox out, or send true.",
});

/** As it would come, with the wait that such a one has. */
const asWanted = (code: RefusalCode): Refusal => {
  const isWait = [429, 503].includes(refusalTable[code].status) || code === "idempotency_in_flight";
  return refuse(code, { extras: { sandbox: true }, ...(isWait ? { retryAfterSeconds: 1 } : {}) });
};

/** Null: the request is where it wants to be, and to be answered. */
const sandboxRefusal = (headers: Headers, isSandbox: boolean): Refusal | null => {
  const asked = askedBy(headers);
  if (asked === null || asked === isSandbox) return null;
  if (asked === "unclear") return unclear;
  if (typeof asked === "string" && isSandbox) return asWanted(asked);
  return isSandbox ? sandboxOnly : notOffered;
};

/** Doors of clients that first connect and list: what is refused there is a call, not the connection. */
const hasConnections = /^\/(?:mcp(?:\?|$)|(?:adcp|a2a)(?:[/?]|$))/;

const wantingAdmission = (inner: Admission, wanted: Refusal): Admission => ({
  who: () => inner.who(),
  count: () => inner.count(),
  countMore: () => inner.countMore(),
  remaining: () => inner.remaining(),
  lacks: (scope) => inner.lacks(scope),
  lackingScope: () => inner.lackingScope(),
  answered: (call) => inner.answered(call),
  told: () => inner.told(),
  wanted,
});

/** The request's admission, as `X-Parley-Sandbox` wants it; `target` is as it came, for a malformed one has no path. */
export const admissionAsked = (inner: Admission, headers: Headers, target: string, isSandbox: boolean): Admission => {
  const refusal = sandboxRefusal(headers, isSandbox);
  if (refusal === null) return inner;
  const isWanted = isSandbox && isForSandbox(headers) && hasConnections.test(target);
  return isWanted ? wantingAdmission(inner, refusal) : refusingAdmission(inner, refusal);
};

/** Every door refuses a request whose caller is refused, in its own form. Its rate counts as before. */
const refusingAdmission = (inner: Admission, refusal: Refusal): Admission => {
  const countBy = async (rate: Promise<Refusal | null>): Promise<Refusal> => {
    const refused = await rate;
    return refused?.code === "rate_limited" ? refused : refusal;
  };
  return {
    who: () => Promise.resolve(refusal),
    count: () => countBy(inner.count()),
    countMore: () => countBy(inner.countMore()),
    remaining: () => inner.remaining(),
    lacks: (scope) => inner.lacks(scope),
    lackingScope: () => inner.lackingScope(),
    answered: (call) => inner.answered(call),
    told: () => inner.told(),
  };
};

const inWords = "(This is a sandbox: nothing is bought, delivered or charged.)";

const marked = (output: unknown, isSpoken: boolean): unknown => {
  if (!isMembers(output)) return output;
  const { text } = output;
  return { ...output, ...(isSpoken && typeof text === "string" ? { text: `${text}\n${inWords}` } : {}), sandbox: true };
};

const markedOutcome = (outcome: Outcome, isSpoken: boolean): Outcome => {
  if (outcome.kind === "done") return { ...outcome, output: marked(outcome.output, isSpoken) };
  if (outcome.kind === "bug") return outcome;
  const { refusal } = outcome;
  return { ...outcome, refusal: { ...refusal, extras: { ...refusal.extras, sandbox: true } } };
};

/** What the caller asked to be refused with; the rate of its calls goes before. */
const wantedOutcome = async (runner: Runner, call: Call, wanted: Refusal): Promise<Outcome> => {
  const counted = await call.admission.count();
  const contract = runner.contracts.find(({ name }) => name === call.operation) ?? null;
  const refusal = counted?.code === "rate_limited" ? counted : wanted;
  call.admission.answered({ operation: contract?.name ?? null, outcome: refusal.code });
  return refusedOutcome(contract, refusal);
};

/** Answers and refusals say on every door that they are a sandbox's. */
export const sandboxRunner = (runner: Runner): Runner => ({
  ...runner,
  run: async (call) => {
    const { wanted = null } = call.admission;
    const outcome = wanted === null ? await runner.run(call) : await wantedOutcome(runner, call, wanted);
    return markedOutcome(outcome, call.operation === "converse");
  },
});
