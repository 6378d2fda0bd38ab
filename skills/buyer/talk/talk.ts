import { createHash } from "node:crypto";
import type { Offer } from "../../../machines/conversation/machine.ts";
import { bugBody, refusalBody } from "../../../protocol/neutral/refusal-body.ts";
import type { Context } from "../../../protocol/seam/operation.ts";
import type { BriefInput } from "./brief/input.ts";
import type { Memory } from "./record.ts";

export interface Said {
  readonly outcome: "answer" | "clarify" | "refuse" | "started" | "booked" | "cancelled";
  readonly text: string;
  readonly result?: unknown;
  readonly understood?: Readonly<Record<string, unknown>>;
  readonly notUsed?: readonly string[];
  /** Shown in full, and open for a plain yes. */
  readonly offer?: Offer;
  /** What was shown is shown again before a yes takes it; without it what was shown is void. */
  readonly isBeside?: boolean;
  /** Left out: the open brief stays as it is. */
  readonly brief?: BriefInput | null;
  /** What stays open about the brief; left out as the brief is. */
  readonly doubts?: readonly string[];
  /** What words without a name mean from now on. */
  readonly job?: Memory["job"];
  /** Ids of the campaigns that it speaks of. */
  readonly about?: readonly string[];
  /** The offer was taken by a commit of its own. */
  readonly isTaken?: boolean;
}

export interface Talk {
  readonly context: Context;
  readonly contextId: string | null;
  readonly memory: Memory;
  readonly text: string;
}

export type Fetched<T> = { readonly output: T } | { readonly failed: Said };

export const called = async <T>({ context }: Talk, name: string, input: unknown): Promise<Fetched<T>> => {
  const outcome = await context.call(name, input);
  if (outcome.kind === "done") return { output: outcome.output as T };
  if (outcome.kind === "bug") {
    return {
      failed: { outcome: "refuse", text: "Something went wrong on our side.", result: bugBody(context.requestId) },
    };
  }
  const result = { ...refusalBody(outcome.refusal), status: outcome.status };
  return { failed: { outcome: "refuse", text: outcome.refusal.message, result } };
};

export const spokenOf = ({ job, about = [] }: Said): readonly string[] => [...about, ...(job == null ? [] : [job.id])];

export const digestOf = (shown: string): string => createHash("sha256").update(shown).digest("base64url");

export const offered = (offer: Omit<Offer, "digest">, text: string, more: Partial<Said> = {}): Said => ({
  outcome: "clarify",
  text,
  understood: offer.change ?? {},
  ...more,
  offer: { ...offer, digest: digestOf(text) },
});

export const openOffer = ({ memory: { life } }: Talk): Offer | undefined =>
  life.value === "asked" ? life.context.shown[0] : undefined;

/** Shown before the last question. */
export const heldOffer = ({ memory: { life } }: Talk): Offer | undefined =>
  life.value === "shown" ? life.context.shown[0] : undefined;

export const isAskedToStart = ({ memory }: Talk): boolean => memory.life.context.shown[0]?.kind === "campaign";
