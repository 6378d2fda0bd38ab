import { isMembers } from "../neutral/json-input.ts";
import type { Members } from "../neutral/members.ts";
import { isRefusal, Refused, refuse } from "../neutral/refusals.ts";
import { readBy, schemaRefusal } from "../neutral/validation.ts";
import type { Call, Outcome } from "../seam/operation.ts";
import type { Runner } from "../seam/run/run.ts";
import { failed, succeeded, type Wrapped } from "./envelope.ts";
import { bugFault, faultOf } from "./errors.ts";
import { type Fault, Faulty } from "./fault.ts";
import { keyedAs, requiredKey } from "./keys.ts";
import { releases, servedRelease } from "./release.ts";
import type { AdcpFacts, Asked, Task } from "./task.ts";
import { tasksOf } from "./tasks/tasks.ts";

/** `isFailed`: a refusal, whose error stands in the body. */
export interface TaskAnswer {
  readonly body: Members;
  readonly isFailed: boolean;
}

export type TaskCaller = Pick<Call, "admission" | "requestId" | "traceparent" | "signal">;

export interface TaskCall {
  readonly name: string;
  readonly args: unknown;
  readonly door: Asked["door"];
  readonly from: TaskCaller;
}

export interface Adcp {
  readonly facts: AdcpFacts;
  readonly tasks: readonly Task[];
  /** By any of its names. */
  find(name: unknown): Task | null;
  /** Throws `Refused` where a key is needed and none was sent, or a wrong one. */
  answer(call: TaskCall): Promise<TaskAnswer>;
}

export interface AdcpParts {
  readonly runner: Pick<Runner, "run">;
  readonly facts: AdcpFacts;
}

/** What polling clients call it. */
const otherNames: Readonly<Record<string, string>> = {
  "tasks/get": "get_task_status",
  tasks_get: "get_task_status",
};

const checkCaller = async ({ isOpen }: Task, { admission }: TaskCaller): Promise<void> => {
  const who = await admission.who();
  if (isRefusal(who)) throw new Refused(who);
  if (isOpen !== true && who.kind === "anonymous") throw new Refused(refuse("authentication_required"));
};

const unknownTask = (tasks: readonly Task[]): Faulty =>
  new Faulty({
    code: "UNSUPPORTED_FEATURE",
    message: `There is no such task. There are ${tasks.map(({ name }) => name).join(", ")}.`,
    recovery: "correctable",
  });

interface Running {
  readonly parts: AdcpParts;
  readonly task: Task;
  readonly args: Members;
  readonly asked: Asked;
}

const readRequest = ({ task, args }: Running): unknown => {
  const read = readBy(task.request, args);
  if (!read.success) throw new Refused(schemaRefusal(read.error));
  return read.data;
};

const callOf = ({ task, args, asked }: Running, from: TaskCaller, request: unknown): Call | null => {
  const call = task.toCall(request, asked);
  if (call === null) return null;
  const { operation, input, dryRun = false } = call;
  return {
    operation,
    door: asked.door,
    ...from,
    input: () => ({ input, dryRun }),
    ...(task.isKeyed === true ? { idempotencyKey: requiredKey(args), keyedAs: keyedAs(task.name, args) } : {}),
  };
};

const faultIn = (outcome: Exclude<Outcome, { kind: "done" }>, { asked: { release } }: Running): Fault =>
  outcome.kind === "bug" ? bugFault(outcome.requestId) : faultOf(outcome.refusal, release);

const answered = async (running: Running, from: TaskCaller, wrapped: Wrapped): Promise<TaskAnswer> => {
  const { parts, task, args, asked } = running;
  const request = readRequest(running);
  const call = callOf(running, from, request);
  const outcome = call === null ? null : await parts.runner.run(call);
  if (outcome?.kind === "refused" && task.toRefused !== undefined) {
    return { body: succeeded(task.toRefused(outcome.refusal), wrapped, false), isFailed: false };
  }
  if (outcome !== null && outcome.kind !== "done") {
    return { body: failed(faultIn(outcome, running), wrapped), isFailed: true };
  }
  const body = task.toAnswer((outcome?.output ?? {}) as Members, asked, request);
  const key = task.isKeyed === true ? { idempotency_key: args["idempotency_key"] } : {};
  return { body: succeeded({ ...key, ...body }, wrapped, outcome?.meta.replayed === true), isFailed: false };
};

/** Of one request over either door: release, key, shape, the operation, and the answer in the release's shape. */
export const createAdcp = (parts: AdcpParts): Adcp => {
  const tasks = tasksOf(parts.facts);
  const byName = new Map(tasks.map((task) => [task.name, task]));
  const find = (name: unknown): Task | null =>
    typeof name === "string" ? (byName.get(otherNames[name] ?? name) ?? null) : null;
  return {
    facts: parts.facts,
    tasks,
    find,
    answer: async ({ name, args: sent, door, from }) => {
      const args: Members = isMembers(sent) ? sent : {};
      const { isSandbox = false } = parts.facts;
      let wrapped: Wrapped = { release: releases[0], context: args["context"], isSandbox };
      try {
        const task = find(name);
        if (task === null) throw unknownTask(tasks);
        await checkCaller(task, from);
        wrapped = { ...wrapped, release: servedRelease(args) };
        const asked: Asked = { release: wrapped.release, door, facts: parts.facts };
        return await answered({ parts, task, args, asked }, from, wrapped);
      } catch (error) {
        if (error instanceof Faulty) return { body: failed(error.fault, wrapped), isFailed: true };
        if (!(error instanceof Refused) || needsKey(error)) throw error;
        return { body: failed(faultOf(error.refusal, wrapped.release), wrapped), isFailed: true };
      }
    },
  };
};

const unauthenticated: readonly string[] = [
  "authentication_required",
  "invalid_api_key",
  "api_key_revoked",
  "api_key_expired",
];

/** Both doors answer these with the status of HTTP. */
const needsKey = ({ refusal }: Refused): boolean => unauthenticated.includes(refusal.code);
