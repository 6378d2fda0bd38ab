import { createHash } from "node:crypto";
import type { CreativeInstance } from "../../../machines/creative/machine.ts";
import { selectionTerms } from "../../../protocol/seam/selection.ts";
import type { Kind } from "../../../storage/store.ts";

/** Addresses and texts as sent, by the name of their place in the format. */
export type CreativeAssets = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** In the library of its owner: it stays there when a buy ends. */
export interface CreativeRow {
  readonly creative_id: string;
  readonly owner: string;
  readonly account_id: string | null;
  readonly name: string;
  readonly format_id: string;
  readonly assets: CreativeAssets;
  readonly created_at_ms: number;
  readonly updated_at_ms: number;
  readonly revision: number;
  readonly sandbox: boolean;
  readonly life: CreativeInstance;
}

export const creativeKind: Kind<CreativeRow> = {
  name: "creative",
  terms: ({ owner, life }) => selectionTerms([owner, life.value]),
  dueAtMs: () => null,
  owner: ({ owner }) => owner,
  facts: ({ life }) => ({ status: life.value, reason: life.context.rejectionReason }),
};

/** Buyers choose the ids of their creatives, so that two may have the same. */
export const creativeKey = (owner: string, creativeId: string): string =>
  `cr-${createHash("sha256")
    .update(JSON.stringify([owner, creativeId]))
    .digest("hex")
    .slice(0, 32)}`;
