import type { CreativeStatus } from "../../../machines/creative/machine.ts";
import type { BuyStatus } from "../../../machines/media-buy/status.ts";

const beforeStart: readonly BuyStatus[] = ["active", "paused", "canceled", "rejected"];

/** As the public tests of AdCP 3 draw them. */
const buyMoves: Readonly<Record<BuyStatus, readonly BuyStatus[]>> = {
  submitted: [],
  pending_creatives: ["pending_start", ...beforeStart],
  pending_start: beforeStart,
  active: ["paused", "completed", "canceled"],
  paused: ["active", "completed", "canceled"],
  completed: [],
  canceled: [],
  rejected: [],
};

const creativeMoves: Readonly<Record<CreativeStatus, readonly CreativeStatus[]>> = {
  processing: ["pending_review", "rejected"],
  pending_review: ["approved", "rejected"],
  approved: ["archived", "rejected"],
  archived: ["approved"],
  rejected: ["processing", "pending_review"],
};

/** To where it stands is a move that changes nothing; of what is over there is none. */
export const mayMoveBuy = (from: BuyStatus, to: BuyStatus): boolean =>
  buyMoves[from].includes(to) || (from === to && buyMoves[from].length > 0);

export const mayMoveCreative = (from: CreativeStatus, to: CreativeStatus): boolean =>
  from === to || creativeMoves[from].includes(to);
