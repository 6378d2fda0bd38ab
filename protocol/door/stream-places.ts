import { Refused, refuse } from "../neutral/refusals.ts";

const retryAfterSeconds = 30;

export interface StreamPlaces {
  /** Returns what gives the place back; throws `Refused` where there is none. */
  take(holder: string): () => void;
  readonly open: () => number;
}

/** Bounds open streams, per caller (0: no limit) and in all. */
export const createStreamPlaces = (mostPerCaller: number, mostStreams: number): StreamPlaces => {
  const open = new Map<string, number>();
  let total = 0;
  const take = (holder: string): (() => void) => {
    const held = open.get(holder) ?? 0;
    if ((mostPerCaller > 0 && held >= mostPerCaller) || total >= mostStreams) {
      const message = "Too many streams are open. Close one, or wait as long as Retry-After says.";
      throw new Refused(refuse("rate_limited", { message, retryAfterSeconds }));
    }
    open.set(holder, held + 1);
    total += 1;
    let isClosed = false;
    return () => {
      if (isClosed) return;
      isClosed = true;
      total -= 1;
      const left = (open.get(holder) ?? 1) - 1;
      if (left === 0) open.delete(holder);
      else open.set(holder, left);
    };
  };
  return { take, open: () => total };
};
