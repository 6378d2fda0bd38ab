import type { OrderStatus } from "../order/moves.ts";
import type { MediaBuyInstance } from "./machine.ts";

/** As buyers of AdCP 3 know them, and `submitted` before there is a buy. */
export const buyStatuses = [
  "submitted",
  "pending_creatives",
  "pending_start",
  "active",
  "paused",
  "completed",
  "canceled",
  "rejected",
] as const;

export type BuyStatus = (typeof buyStatuses)[number];

export interface PackageState {
  readonly order: OrderStatus;
  readonly isCanceled: boolean;
  readonly isPaused: boolean;
  /** One that may run is assigned. */
  readonly hasCreative: boolean;
}

export interface BuyState {
  readonly life: MediaBuyInstance["value"];
  readonly isPaused: boolean;
  readonly startMs: number;
  readonly endMs: number;
  readonly packages: readonly PackageState[];
}

const ended: readonly OrderStatus[] = ["cancelled", "unbooked", "rejected", "failed"];
const refused: readonly OrderStatus[] = ["rejected", "failed"];
const running: readonly OrderStatus[] = ["in_progress", "syncing", "booked"];

const isLive = ({ order, isCanceled }: PackageState): boolean => !isCanceled && !ended.includes(order);

/** A buy that was paused before its start still waits for it: paused, it could only become active. */
export const standingOfBuy = ({ life, isPaused, startMs, endMs, packages }: BuyState, nowMs: number): BuyStatus => {
  if (life !== "confirmed") return life;
  const live = packages.filter(isLive);
  if (live.length === 0) return packages.every(({ order }) => refused.includes(order)) ? "rejected" : "canceled";
  if (nowMs >= endMs || live.every(({ order }) => order === "completed")) return "completed";
  const runs = nowMs >= startMs && live.some(({ order }) => running.includes(order));
  if (runs) return isPaused || live.every((one) => one.isPaused) ? "paused" : "active";
  return live.every(({ hasCreative }) => hasCreative) ? "pending_start" : "pending_creatives";
};

export type BuyAction =
  | "pause"
  | "resume"
  | "cancel"
  | "update_budget"
  | "update_dates"
  | "update_packages"
  | "sync_creatives";

const changes = ["update_budget", "update_dates", "update_packages", "sync_creatives"] as const;

const actionsOf: Readonly<Record<BuyStatus, readonly BuyAction[]>> = {
  submitted: [],
  pending_creatives: ["pause", "cancel", ...changes],
  pending_start: ["pause", "cancel", ...changes],
  active: ["pause", "cancel", ...changes],
  paused: ["resume", "cancel", ...changes],
  completed: [],
  canceled: [],
  rejected: [],
};

/** What its buyer may do with it. */
export const buyActions = (status: BuyStatus): readonly BuyAction[] => actionsOf[status];

export const isOver = (status: BuyStatus): boolean =>
  status === "completed" || status === "canceled" || status === "rejected";
