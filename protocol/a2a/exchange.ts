import type { DoorRequest } from "../door/door.ts";
import { callerOf, callOfDoor } from "../door/door-call.ts";
import type { RpcAnswer, RpcDispatcher } from "../jsonrpc/dispatcher.ts";
import { type BodyLimits, isMembers } from "../neutral/json-input.ts";
import type { Members } from "../neutral/members.ts";
import { Refused, refuse } from "../neutral/refusals.ts";
import type { Caller } from "../seam/caller.ts";
import { accessRefusal } from "../seam/run/gates.ts";
import type { Runner } from "../seam/run/run.ts";
import { CallContext, type Envelope } from "./call-context.ts";
import { withContext } from "./messages/flat.ts";
import { isCurrent, withoutReferences } from "./methods.ts";
import { asksForPush } from "./push/form.ts";
import { asksForStream } from "./streams.ts";

export interface A2aWire {
  readonly runner: Pick<Runner, "contracts" | "run">;
  readonly dispatcher: RpcDispatcher<CallContext>;
  readonly limits: BodyLimits;
  /** Only known callers are notified. */
  readonly pushes: boolean;
  readonly takePlace: (holder: string) => () => void;
}

const asksForExtendedCard = ({ method }: Members): boolean =>
  method === "GetExtendedAgentCard" || method === "agent/getAuthenticatedExtendedCard";

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
    const call = { operation: contract.name, door: "a2a", ...callOfDoor(request), input: () => ({}) } as const;
    const outcome = await runner.run(call);
    if (outcome.kind === "refused") throw new Refused(outcome.refusal);
  }
};

export interface Answered {
  readonly answer: RpcAnswer | readonly RpcAnswer[] | null;
  readonly context: CallContext;
}

/**
 * One JSON-RPC message of either version, whatever binding brought it. Throws `Refused` where a key is needed, or the
 * caller holds too many streams.
 */
export const answerRpc = async (
  wire: A2aWire,
  request: DoorRequest,
  given: unknown,
  envelope: Envelope,
): Promise<Answered> => {
  const { dispatcher, pushes, takePlace } = wire;
  const version = isCurrent(isMembers(given) ? given["method"] : null) ? "1.0" : "0.3";
  const caller = await callerOf(request);
  if (isMembers(given)) await checkAccess(wire, request, caller, given);
  const context = new CallContext(request, caller, version, envelope);
  const isKnown = context.user?.isAuthenticated === true;
  if (!isKnown && isMembers(given) && ((pushes && asksForPush(given)) || asksForExtendedCard(given))) {
    throw new Refused(refuse("authentication_required"));
  }
  const sent = withoutReferences(given);
  const message = isMembers(sent) ? withContext(sent, isKnown ? "" : request.address) : sent;
  const isStreaming = isMembers(message) && asksForStream(message);
  const leave = isStreaming ? takePlace(context.holder) : (): void => undefined;
  context.ended.addEventListener("abort", leave, { once: true });
  const answer = await dispatcher.receive(message, context).finally(() => {
    if (context.stream === null) leave();
  });
  return { answer, context };
};
