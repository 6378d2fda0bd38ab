import type { Change } from "../../storage/store.ts";
import type { Caller, Preference, Tier } from "./caller.ts";
import type { Refusal } from "../neutral/refusals.ts";

/** The only source of time: milliseconds since the epoch, UTC. */
export interface Clock {
  nowMs(): number;
}

/** Structured log to stderr. Chosen fields only: never a header, a body or a credential. */
export interface Log {
  /** Left out where no one reads it, so that nothing is put together for it. */
  readonly debug?: (fields: Readonly<Record<string, unknown>>, message: string) => void;
  info(fields: Readonly<Record<string, unknown>>, message: string): void;
  warn(fields: Readonly<Record<string, unknown>>, message: string): void;
  error(fields: Readonly<Record<string, unknown>>, message: string): void;
}

/** Turns a presented secret into its caller, or says why it is none. Asked anew for every request. */
export interface CallerDirectory {
  find(secret: string, address: string): Promise<Caller | Refusal>;
}

/** What the agent registry says of an agent: the highest tier it may reach, and whether it is shut out. */
export interface AgentTrust {
  readonly ceiling: Tier;
  readonly blocked: boolean;
  readonly preference?: Preference;
}

/** What an agent's trust left of a caller's own tier in one call. */
export interface TrustVerification {
  readonly agentUrl: string;
  readonly claimedTier: Tier;
  readonly effectiveTier: Tier;
  readonly principal: string;
  readonly operation: string;
  readonly requestId: string;
  readonly nowMs: number;
}

/** Answers for an agent's URL; an agent that nobody registered is `unknown` and reaches `public` (spec, rule 4). */
export interface TrustRegistry {
  ofAgent(agentUrl: string): Promise<AgentTrust>;
  /** The record of a verification that a price was made by; it is committed with what the call does. */
  witness?(of: TrustVerification): Promise<Change>;
}

/** One answer of a limiter: how many requests are left in the window and when it starts anew. */
export interface LimitState {
  readonly allowed: boolean;
  readonly limit: number;
  readonly remaining: number;
  readonly resetSeconds: number;
}

/** Counts requests per principal or address; null when limits are off (decision 68: rate limit 0). */
export interface RateLimiter {
  take(caller: Caller): Promise<LimitState | null>;
  /** What is left to the caller, told without counting; a limiter that cannot tell leaves it out. */
  standing?(caller: Caller): Promise<LimitState | null>;
}
