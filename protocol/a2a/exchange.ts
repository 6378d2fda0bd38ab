import type { DoorRequest } from "../door/door.ts";
import { callerOf, callOfDoor } from "../door/door-call.ts";
import { type BodyLimits, isMembers } from "../neutral/json-input.ts";
import type { Members } from "../neutral/members.ts";
import { Refused, refuse } from "../neutral/refusals.ts";
import type { Caller } from "../seam/caller.ts";
import { accessRefusal } from "../seam/run/gates.ts";
import type { Runner } from "../seam/run/run.ts";
import { CallContext, type Envelope } from "./call-context.ts";
import { withContext } from "./messages/flat.ts";
import { isCurrent, methodKind } from "./methods.ts";
import { asksForPush } from "./push/form.ts";
import { type Answered, openStream } from "./streams.ts";
import { type A2aTransport, isStream } from "./transport.ts";

export interface A2aWire {
  readonly transport: A2aTransport;
  readonly limits: BodyLimits;
  /** Only known callers are notified. */
  readonly pushes: boolean;
  readonly takePlace: (holder: string) => () => void;
  /** Throws `Refused` where its caller may not send the message. */
  readonly check: (request: DoorRequest, caller: Caller, given: Members) => Promise<void>;
  /** No message goes on with a task that has ended: clients that name one of a submitted answer mean a new one. */
  readonly isTaskEach?: true;
}

/** The data parts of a message, in the JSON of either version. */
export const dataPartsIn = ({ params }: Members): readonly Members[] => {
  const message = isMembers(params) ? params["message"] : null;
  const parts = isMembers(message) && Array.isArray(message["parts"]) ? (message["parts"] as unknown[]) : [];
  return parts.flatMap((part) => (isMembers(part) && isMembers(part["data"]) ? [part["data"]] : []));
};

/** A message that names what is closed to its caller is refused whole, with the status of REST. */
export const checkOperations =
  (runner: Pick<Runner, "contracts" | "run">): A2aWire["check"] =>
  async (request, caller, given) => {
    for (const { operation: named } of dataPartsIn(given)) {
      const contract = runner.contracts.find(
        ({ name, closedDoors }) => name === named && closedDoors?.a2a === undefined,
      );
      if (contract === undefined || accessRefusal(contract, caller) === null) continue;
      // Through `run`, which counts and logs it as at every door.
      const call = {
        operation: contract.name,
        door: "a2a",
        ...callOfDoor(request),
        input: () => ({ input: {} }),
      } as const;
      const outcome = await runner.run(call);
      if (outcome.kind === "refused") throw new Refused(outcome.refusal);
    }
  };

/**
 * No skill reads referenced tasks, and the SDK prints unknown ones to stderr as sent: a caller could write log lines.
 */
const withoutReferences = (body: Members): Members => {
  const { params } = body;
  const named = isMembers(params) ? params["message"] : null;
  if (!isMembers(named) || !("referenceTaskIds" in named || "reference_task_ids" in named)) return body;
  const { referenceTaskIds: _camel, reference_task_ids: _snake, ...message } = named;
  return { ...body, params: { ...(params as Members), message } };
};

const withoutTask = (body: Members): Members => {
  const { params } = body;
  const named = isMembers(params) ? params["message"] : null;
  if (!isMembers(named)) return body;
  const { taskId: _camel, task_id: _snake, ...message } = named;
  return { ...body, params: { ...(params as Members), message } };
};

/**
 * One JSON-RPC request of either version, whatever binding brought it. Throws `Refused` where a key is needed, or the
 * caller holds too many streams.
 */
export const answerRpc = async (
  wire: A2aWire,
  request: DoorRequest,
  given: Members,
  envelope: Envelope,
): Promise<Answered> => {
  const { method } = given;
  const caller = await callerOf(request);
  await wire.check(request, caller, given);
  const context = new CallContext(request, caller, isCurrent(method) ? "1.0" : "0.3", envelope);
  const isKnown = context.user?.isAuthenticated === true;
  const kind = methodKind(method);
  if (!isKnown && (kind === "card" || (wire.pushes && asksForPush(given)))) {
    throw new Refused(refuse("authentication_required"));
  }
  const body = withContext(
    wire.isTaskEach === true ? withoutTask(withoutReferences(given)) : withoutReferences(given),
    isKnown ? "" : request.address,
  );
  if (kind === "stream") context.ended.addEventListener("abort", wire.takePlace(context.holder), { once: true });
  const reply = await wire.transport(body, context);
  if (isStream(reply)) return openStream(reply, body, context);
  context.end();
  return { answer: reply };
};
