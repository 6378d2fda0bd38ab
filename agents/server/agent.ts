import type { DoorRoute } from "../../protocol/door/door.ts";
import type { Examples } from "../../protocol/openapi/openapi.ts";
import type { Dialects } from "../../protocol/rest/dialects/dialect.ts";
import type { Runner } from "../../protocol/seam/run.ts";

/**
 * How an agent's REST errors look: `wrapped` is the seller's `{"detail": {error, message, …}, error, message, …}`
 * (decision 2), `plain` the buyer's `{"error", "detail"}` (buyer spec, Errors).
 */
export type ErrorShape = "wrapped" | "plain";

/** A composed agent: its runner, and what its doors tell of it. The HTTP layer, MCP and the command line read this. */
export interface Agent {
  readonly name: "seller" | "buyer";
  readonly title: string;
  readonly version: string;
  readonly description: string;
  readonly runner: Runner;
  readonly errorShape: ErrorShape;
  /** Other forms of its operations on REST, by operation name; none where it is left out. */
  readonly dialects?: Dialects;
  /** An input and its output for each operation, shown in the OpenAPI document; none where it is left out. */
  readonly examples?: () => Examples;
  /** Cards and other documents that are not operations. */
  readonly pages: readonly DoorRoute[];
  /** Stops background work; resolves when nothing runs any more. The store is closed by whoever opened it. */
  stop(): Promise<void>;
}
