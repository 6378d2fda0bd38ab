import type { z } from "zod";
import type { Refusal } from "../neutral/refusals.ts";
import type { Members } from "../neutral/members.ts";
import type { Release } from "./release.ts";

/** What an agent says of itself, whoever asks. */
export interface AdcpFacts {
  /** Of the MCP door: creative formats are named by it. */
  readonly agentUrl: string;
  readonly testMode: boolean;
  /** Answers say so. */
  readonly isSandbox?: boolean;
}

export interface Asked {
  readonly release: Release;
  readonly door: "mcp" | "a2a";
  readonly facts: AdcpFacts;
}

/** Of the agent's own operations. */
export interface OperationCall {
  readonly operation: string;
  readonly input: unknown;
  readonly dryRun?: boolean;
}

/**
 * One AdCP task. `toCall` may throw `Faulty`; null: it is answered without an operation. `toAnswer` gives the members
 * of the answer without its envelope, from the operation's output alone, so that a replay is the first answer.
 */
export interface Task<R = unknown> {
  readonly name: string;
  readonly title: string;
  readonly summary: string;
  /** Answered without a key. */
  readonly isOpen?: true;
  readonly writes: boolean;
  /** The client must send an idempotency key. */
  readonly isKeyed?: true;
  readonly request: z.ZodType<R>;
  readonly toCall: (request: R, asked: Asked) => OperationCall | null;
  readonly toAnswer: (output: Members, asked: Asked, request: R) => Members;
  /** Of a task that has refusals of its own: they are answers, and no errors of AdCP. */
  readonly toRefused?: (refusal: Refusal) => Members;
}

export const defineTask = <R>(task: Task<R>): Task => task as unknown as Task;
