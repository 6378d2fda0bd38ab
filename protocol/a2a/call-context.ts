import { A2A_VERSION_HEADER, Extensions } from "@a2a-js/sdk";
import { ServerCallContext, type User } from "@a2a-js/sdk/server";
import type { DoorRequest, DoorResponse } from "../door/door.ts";
import { callOfDoor, showOutcome } from "../door/door-call.ts";
import { addressLimitKey, type Caller } from "../seam/caller.ts";
import type { Outcome } from "../seam/operation.ts";
import type { Speaker } from "./answer.ts";

/** The caller as the SDK knows it: tasks belong to the owner of the records that the same caller makes. */
class CallerUser implements User {
  readonly isAuthenticated: boolean;
  readonly userName: string;

  constructor({ kind, owner }: Caller) {
    this.isAuthenticated = kind !== "anonymous";
    this.userName = owner;
  }
}

/** The context of one A2A request as the SDK carries it, with who speaks and on whose account its tasks are kept. */
export class CallContext extends ServerCallContext {
  readonly speaker: Speaker;
  /** Callers without a proof are one user, so their tasks are kept on the account of the address. */
  readonly holder: string;
  /** What a streaming method answers in place of one envelope. */
  stream: DoorResponse | null = null;

  constructor(request: DoorRequest, caller: Caller, defaultVersion: string) {
    const { headers } = request;
    super({
      requestedExtensions: Extensions.parseServiceParameter(headers["a2a-extensions"] ?? headers["x-a2a-extensions"]),
      user: new CallerUser(caller),
      requestedVersion: headers[A2A_VERSION_HEADER.toLowerCase()] ?? defaultVersion,
    });
    const { idempotencyKey: _key, ...from } = callOfDoor(request);
    this.speaker = { from, seen: (outcome: Outcome) => showOutcome(request, outcome) };
    this.holder = caller.verified ? caller.owner : addressLimitKey(request.address);
  }
}

/** The context as the SDK hands it back. Throws where it is not the one that the door made. */
export const callContext = (context: ServerCallContext): CallContext => {
  if (context instanceof CallContext) return context;
  throw new Error("an A2A request reached its handler without the context of its door");
};
