import type { DoorRequest } from "../protocol/door/door.ts";
import { claimOf, identifiedAs, showIdentity } from "../protocol/door/door-call.ts";
import type { IdentifiedCaller } from "../protocol/seam/operation.ts";
import { isRefusal, type Refusal } from "../protocol/neutral/refusals.ts";
import type { Runner } from "../protocol/seam/run.ts";

type Gatekeeper = Pick<Runner, "identify">;

/**
 * The gate of the credential, which stands before the body is read. A credential that is refused is counted here; a
 * request that passes is counted once it is known what it asks for: a tool call in `run`, any other by
 * `countedAtGate`.
 */
export const enter = async (runner: Gatekeeper, request: DoorRequest): Promise<IdentifiedCaller | Refusal> => {
  const who = showIdentity(
    request,
    await runner.identify(claimOf(request.headers, request.address), { counted: "refused" }),
  );
  return isRefusal(who) ? who : identifiedAs(who, request);
};

/** The gate of the rate for a request that calls no tool; who has passed it is not counted again in `run`. */
export const countedAtGate = async (
  runner: Gatekeeper,
  request: DoorRequest,
  entered: IdentifiedCaller,
): Promise<IdentifiedCaller | Refusal> => {
  const counted = await runner.identify(entered, { counted: true });
  const who = showIdentity(request, counted);
  return isRefusal(who) ? who : { ...entered, rate: counted.rate };
};
