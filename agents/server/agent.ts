import type { DoorRoute } from "../../protocol/door/door.ts";
import type { Examples } from "../../protocol/openapi/openapi.ts";
import type { Dialects } from "../../protocol/rest/dialects/dialect.ts";
import type { ReadGauges } from "../watch/metrics.ts";
import type { Runner } from "../../protocol/seam/run/run.ts";

/**
 * `wrapped`: the seller's `{"detail": {error, message, …}, error, message, …}`; `plain`: the buyer's `{"error",
 * "detail"}` (buyer spec, Errors).
 */
export type ErrorShape = "wrapped" | "plain";

export interface Agent {
  readonly name: "seller" | "buyer";
  readonly title: string;
  readonly version: string;
  readonly description: string;
  readonly runner: Runner;
  readonly errorShape: ErrorShape;
  readonly dialects?: Dialects;
  readonly examples?: () => Examples;
  readonly pages: readonly DoorRoute[];
  /** What a page of metrics asks it for. */
  readonly readings?: ReadGauges;
  /** The store is closed by its opener. */
  stop(): Promise<void>;
}
