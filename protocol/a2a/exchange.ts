import type { DoorRequest } from "../door/door.ts";
import { callerOf } from "../door/door-call.ts";
import type { RpcAnswer, RpcDispatcher } from "../jsonrpc/dispatcher.ts";
import { type BodyLimits, isMembers } from "../neutral/json-input.ts";
import type { Members } from "../neutral/members.ts";
import { Refused, refuse } from "../neutral/refusals.ts";
import { CallContext, type Envelope } from "./call-context.ts";
import { withContext } from "./messages/flat.ts";
import { isCurrent, withoutReferences } from "./methods.ts";
import { asksForPush } from "./push/form.ts";
import { asksForStream } from "./streams.ts";

export interface A2aWire {
  readonly dispatcher: RpcDispatcher<CallContext>;
  readonly limits: BodyLimits;
  /** Only known callers are notified. */
  readonly pushes: boolean;
  readonly takePlace: (holder: string) => () => void;
}

const asksForExtendedCard = ({ method }: Members): boolean =>
  method === "GetExtendedAgentCard" || method === "agent/getAuthenticatedExtendedCard";

export interface Answered {
  readonly answer: RpcAnswer | readonly RpcAnswer[] | null;
  readonly context: CallContext;
}

/**
 * One JSON-RPC message of either version, whatever binding brought it. Throws `Refused` where a key is needed, or the
 * caller holds too many streams.
 */
export const answerRpc = async (
  { dispatcher, pushes, takePlace }: A2aWire,
  request: DoorRequest,
  given: unknown,
  envelope: Envelope,
): Promise<Answered> => {
  const version = isCurrent(isMembers(given) ? given["method"] : null) ? "1.0" : "0.3";
  const context = new CallContext(request, await callerOf(request), version, envelope);
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
