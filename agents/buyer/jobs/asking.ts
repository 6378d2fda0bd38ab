import type { z } from "zod";
import { toMicros } from "../../../machines/money.ts";
import type { Contract } from "../../../protocol/seam/operation.ts";
import type { CallFor, BookingCallResult } from "../../../skills/buyer/bookings/flow/ports.ts";

export type Ask = <I extends z.ZodType, O extends z.ZodType>(
  sellerUrl: string,
  contract: Contract<I, O>,
  input: z.input<I>,
  of: CallFor,
) => Promise<BookingCallResult<z.output<O>>>;

export const mapped = async <T, V>(
  asked: Promise<BookingCallResult<T>>,
  read: (output: T) => V,
): Promise<BookingCallResult<V>> => {
  const answer = await asked;
  return answer.ok ? { ok: true, value: read(answer.value) } : answer;
};

/** The answer is null without a price, and for one that cannot be paid. */
export const microsOfPrice = (price: number | null | undefined): number | null => {
  const micros = price == null ? null : toMicros(price);
  return micros !== null && micros > 0 ? micros : null;
};
