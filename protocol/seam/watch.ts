import type { RefusalCode } from "../neutral/refusals.ts";
import type { Door, Outcome } from "./operation.ts";

/** `operation` null: the caller named one that there is not. */
export interface EndedCall {
  readonly operation: string | null;
  readonly door: Door;
  readonly outcome: Outcome;
  readonly seconds: number;
}

/** A page is what is no operation's: documents, the console, streams, probes, what was not found. */
export type HttpDoor = "rest" | "mcp" | "a2a" | "rpc" | "page";

export interface EndedRequest {
  readonly method: string;
  readonly door: HttpDoor;
  readonly status: number;
  readonly seconds: number;
}

/** `peer` is one of a closed list, or a seller of the settings. */
export interface EndedOutbound {
  readonly peer: string;
  readonly result: "ok" | "refused" | "failed" | "blocked" | "timeout" | "unreachable" | "stopped";
  readonly seconds: number;
}

export interface OutboundWatch {
  sent(request: EndedOutbound): void;
}

/** What an agent counts of its work. None of it may throw. */
export interface AgentWatch extends OutboundWatch {
  called(call: EndedCall): void;
  refusedAtDoor(code: RefusalCode): void;
  requestBegan(): void;
  requestEnded(request: EndedRequest): void;
  delivered(channel: string, result: string): void;
}

/** Left out: nothing is counted. */
export interface Watched {
  readonly watch?: AgentWatch;
}

export const watchOf = ({ watch }: Watched): Watched => (watch === undefined ? {} : { watch });

const uncounted = (): void => undefined;

/** For what is tried or measured without an agent. */
export const noWatch: AgentWatch = {
  called: uncounted,
  refusedAtDoor: uncounted,
  requestBegan: uncounted,
  requestEnded: uncounted,
  delivered: uncounted,
  sent: uncounted,
};
