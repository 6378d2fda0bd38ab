import type { Caller, Tier } from "./caller.ts";
import type { Refusal } from "./refusals.ts";

/** The only source of time: milliseconds since the epoch, UTC. */
export interface Clock {
  nowMs(): number;
}

/** Structured log to stderr. Chosen fields only: never a header, a body or a credential. */
export interface Log {
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
}

/** Answers for an agent's URL; an agent that nobody registered is `unknown` and reaches `public` (spec, rule 4). */
export interface TrustRegistry {
  ofAgent(agentUrl: string): Promise<AgentTrust>;
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
}
