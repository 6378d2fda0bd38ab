import type { Change } from "../../storage/store.ts";
import type { Caller, Preference, Tier } from "./caller.ts";
import type { Refusal } from "../neutral/refusals.ts";

export interface Clock {
  nowMs(): number;
}

/** Chosen fields only: never a header, body or credential. */
export interface Log {
  /** Absent while nobody reads it, so that nothing is formatted for it: read the member for each line. */
  readonly debug?: ((fields: Readonly<Record<string, unknown>>, message: string) => void) | undefined;
  info(fields: Readonly<Record<string, unknown>>, message: string): void;
  warn(fields: Readonly<Record<string, unknown>>, message: string): void;
  error(fields: Readonly<Record<string, unknown>>, message: string): void;
}

/** Called for every request, so that revocation holds at once. */
export interface CallerDirectory {
  find(secret: string, address: string): Promise<Caller | Refusal>;
  /** By the cookies of a console session; null: none of this agent's. */
  inSession?(cookies: string, address: string): Promise<Caller | Refusal | null>;
}

export interface AgentTrust {
  readonly ceiling: Tier;
  readonly blocked: boolean;
  readonly preference?: Preference;
}

export interface TrustVerification {
  readonly agentUrl: string;
  readonly claimedTier: Tier;
  readonly effectiveTier: Tier;
  readonly principal: string;
  readonly operation: string;
  readonly requestId: string;
  readonly nowMs: number;
}

/** An unregistered agent is `unknown` and reaches `public` (spec, rule 4). */
export interface TrustRegistry {
  ofAgent(agentUrl: string): Promise<AgentTrust>;
  /** False: no public target. Without any look-up. */
  isPermitted?(agentUrl: string): boolean;
  /** Committed with what the call does. */
  witness?(of: TrustVerification): Promise<Change>;
}

export interface LimitState {
  readonly allowed: boolean;
  readonly limit: number;
  readonly remaining: number;
  readonly resetSeconds: number;
}

/** Null: limits are off. */
export interface RateLimiter {
  take(caller: Caller): Promise<LimitState | null>;
  /** The remaining quota, without taking from it. */
  standing?(caller: Caller): Promise<LimitState | null>;
}
