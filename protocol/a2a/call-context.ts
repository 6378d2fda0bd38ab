import { A2A_VERSION_HEADER, Extensions } from "@a2a-js/sdk";
import { ServerCallContext, type User } from "@a2a-js/sdk/server";
import type { DoorRequest } from "../door/door.ts";
import { callOfDoor, queriedOf, showOutcome } from "../door/door-call.ts";
import type { RpcAnswer } from "../jsonrpc/message.ts";
import type { Members } from "../neutral/members.ts";
import { addressLimitKey, type Caller } from "../seam/caller.ts";
import type { Outcome } from "../seam/operation.ts";
import type { Speaker } from "./messages/answer.ts";

/** Tasks belong to the owner of the caller's records. */
class CallerUser implements User {
  readonly isAuthenticated: boolean;
  readonly userName: string;

  constructor({ kind, owner }: Caller) {
    this.isAuthenticated = kind !== "anonymous";
    this.userName = owner;
  }
}

/** How a binding sends what JSON-RPC answers. */
export interface Envelope {
  /** As the card names it. */
  readonly binding: "JSONRPC" | "HTTP+JSON";
  /** An event of a stream. */
  readonly event: (answer: RpcAnswer) => object;
  /** The error that ends a stream. */
  readonly failure: (body: Members, error: unknown) => object;
}

export class CallContext extends ServerCallContext {
  readonly speaker: Speaker;
  /** Anonymous callers are one user, so tasks are bounded by address. */
  readonly holder: string;
  readonly caller: Caller;
  readonly envelope: Envelope;
  /** What the caller sees before the answer: a stream the working task, `late` one that takes its time. */
  shows: "answer" | "late" | "working" = "answer";
  readonly #ending = new AbortController();

  constructor(request: DoorRequest, caller: Caller, defaultVersion: string, envelope: Envelope) {
    const { headers } = request;
    super({
      requestedExtensions: Extensions.parseServiceParameter(headers["a2a-extensions"] ?? headers["x-a2a-extensions"]),
      user: new CallerUser(caller),
      requestedVersion: headers[A2A_VERSION_HEADER.toLowerCase()] ?? defaultVersion,
    });
    const { idempotencyKey: _key, ...from } = callOfDoor(request);
    this.speaker = { from, queried: queriedOf(request), seen: (outcome: Outcome) => showOutcome(request, outcome) };
    this.envelope = envelope;
    this.caller = caller;
    this.holder = caller.verified ? caller.owner : addressLimitKey(request.address);
  }

  /** The reader of a stream has gone. */
  get ended(): AbortSignal {
    return this.#ending.signal;
  }

  end(): void {
    // No reason is read, and that of the platform is an exception with its stack trace.
    this.#ending.abort(null);
  }
}

/** Throws where the SDK returns another context. */
export const callContext = (context: ServerCallContext): CallContext => {
  if (context instanceof CallContext) return context;
  throw new Error("an A2A request reached its handler without the context of its door");
};
