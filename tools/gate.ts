import type { Caller } from "../protocol/caller.ts";
import type { DoorRequest } from "../protocol/door.ts";
import { callOfDoor, showWait } from "../protocol/door-call.ts";
import type { IdentifiedCaller } from "../protocol/operation.ts";
import { isRefusal, type Refusal } from "../protocol/refusals.ts";
import type { Identified, Runner } from "../protocol/run.ts";

type Gatekeeper = Pick<Runner, "identify">;

/** Tells the caller its rate, and when to come back where it is refused. */
const shown = (request: DoorRequest, { who, rate }: Identified): Caller | Refusal => {
  request.tellRate(rate);
  if (isRefusal(who)) showWait(request, who);
  return who;
};

/**
 * The gate of the credential, which stands before the body is read. A credential that is refused is counted here; a
 * request that passes is counted once it is known what it asks for: a tool call in `run`, any other by
 * `countedAtGate`.
 */
export const enter = async (runner: Gatekeeper, request: DoorRequest): Promise<IdentifiedCaller | Refusal> => {
  const who = shown(request, await runner.identify(callOfDoor(request).caller, { counted: "refused" }));
  return isRefusal(who) ? who : { kind: "identified", who, address: request.address };
};

/** The gate of the rate for a request that calls no tool; who has passed it is not counted again in `run`. */
export const countedAtGate = async (
  runner: Gatekeeper,
  request: DoorRequest,
  entered: IdentifiedCaller,
): Promise<IdentifiedCaller | Refusal> => {
  const counted = await runner.identify(entered, { counted: true });
  const who = shown(request, counted);
  return isRefusal(who) ? who : { ...entered, rate: counted.rate };
};
