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
  readonly runner: Pick<Runner, "contracts" | "run">;
  readonly transport: A2aTransport;
  readonly limits: BodyLimits;
  /** Only known callers are notified. */
  readonly pushes: boolean;
  readonly takePlace: (holder: string) => () => void;
}

const operationsIn = ({ params }: Members): readonly unknown[] => {
  const message = isMembers(params) ? params["message"] : null;
  const parts = isMembers(message) && Array.isArray(message["parts"]) ? (message["parts"] as unknown[]) : [];
  return parts.flatMap((part) => (isMembers(part) && isMembers(part["data"]) ? [part["data"]["operation"]] : []));
};

/** A message that names what is closed to its caller is refused whole, with the status of REST. */
const checkAccess = async ({ runner }: A2aWire, request: DoorRequest, caller: Caller, given: Members) => {
  for (const named of operationsIn(given)) {
    const contract = runner.contracts.find(({ name, closedDoors }) => name === named && closedDoors?.a2a === undefined);
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
  await checkAccess(wire, request, caller, given);
  const context = new CallContext(request, caller, isCurrent(method) ? "1.0" : "0.3", envelope);
  const isKnown = context.user?.isAuthenticated === true;
  const kind = methodKind(method);
  if (!isKnown && (kind === "card" || (wire.pushes && asksForPush(given)))) {
    throw new Refused(refuse("authentication_required"));
  }
  const body = withContext(withoutReferences(given), isKnown ? "" : request.address);
  if (kind === "stream") context.ended.addEventListener("abort", wire.takePlace(context.holder), { once: true });
  const reply = await wire.transport(body, context);
  if (isStream(reply)) return openStream(reply, body, context);
  context.end();
  return { answer: reply };
};
