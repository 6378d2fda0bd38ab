import { isMembers } from "../../neutral/json-input.ts";
import { type ClientFailure, failureOf, readErrorBody } from "../client-result.ts";
import { codeOf, Ended } from "../limits.ts";

/** One call of an operation, whatever the wire. */
export interface SpokenCall {
  readonly base: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly operation: string;
  readonly input: unknown;
  readonly idempotencyKey: string | undefined;
}

/** On these wires the key stands beside what is asked, not in a header. */
export const keyMember = ({ idempotencyKey: key }: SpokenCall): { readonly idempotency_key?: string } =>
  key === undefined ? {} : { idempotency_key: key };

const isStatus = (value: unknown): value is number =>
  typeof value === "number" && Number.isInteger(value) && value >= 400 && value <= 599;

/** The body of a refusal that came with a successful HTTP status names its own; an unnamed one is a 400. */
export const refusedBy = (sellerUrl: string, body: unknown): ClientFailure => {
  const members = isMembers(body) ? body : {};
  const { status, retry_after_seconds: seconds } = members;
  const retryAfter = typeof seconds === "number" && seconds >= 0 ? Math.ceil(seconds) : null;
  return readErrorBody(sellerUrl, isStatus(status) ? status : 400, body, retryAfter);
};

export const notOffered = (sellerUrl: string, detail: string): ClientFailure =>
  failureOf(sellerUrl, 404, "unknown_operation", detail);

/** What a library threw: the connection's failures go on as they are, the rest is an answer in another form. */
export const unreadable = (sellerUrl: string, error: unknown, form: string): ClientFailure => {
  if (error instanceof Ended || codeOf(error) !== null) throw error;
  return failureOf(sellerUrl, 200, "invalid_response", `The answer is no ${form}.`);
};

/** Keeps the newest; whoever names many addresses evicts the oldest. */
export const createKept = <T>({ most = 1_000, evicted }: { most?: number; evicted?: (value: T) => void } = {}) => {
  const kept = new Map<string, T>();
  return {
    get: (name: string): T | undefined => kept.get(name),
    drop: (name: string): void => void kept.delete(name),
    set: (name: string, value: T): void => {
      const [oldest] = kept;
      if (kept.size >= most && !kept.has(name) && oldest !== undefined) {
        kept.delete(oldest[0]);
        evicted?.(oldest[1]);
      }
      kept.set(name, value);
    },
    takeAll: (): readonly T[] => {
      const all = [...kept.values()];
      kept.clear();
      return all;
    },
  };
};

export type Kept<T> = ReturnType<typeof createKept<T>>;
