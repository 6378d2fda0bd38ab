import { readFileSync } from "node:fs";
import { dateOfSlot, slotOfDate, slotOfTime } from "../../machines/inventory/dates.ts";
import type { Examples } from "../../protocol/openapi/openapi.ts";

/** Two folders up from here and from the bundle in dist. */
const file = new URL("../../docs/surface/seller/examples.json", import.meta.url);

/** There are none where the program was installed without its documents. */
export const sellerExamples = (): Examples => {
  try {
    return JSON.parse(readFileSync(file, "utf8")) as Examples;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return {};
    throw error;
  }
};

/** On which the cases were played that the examples are taken from. */
const playedOn = slotOfDate("2027-01-15") ?? 0;

/** Moves them as if they were played today: sent as they are, their days would be over one day, or too far ahead. */
export const datedExamples = (nowMs: number): Examples => {
  const days = slotOfTime(nowMs) - playedOn;
  const moved = (day: string): string => {
    const slot = slotOfDate(day);
    return slot === null ? day : (dateOfSlot(slot + days) ?? day);
  };
  const text = JSON.stringify(sellerExamples());
  return JSON.parse(text.replace(/(?<!\d)\d{4}-\d{2}-\d{2}(?!\d)/g, moved)) as Examples;
};
