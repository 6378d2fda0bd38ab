import type { ReadDocument } from "./document.ts";
import { Known, Repeated } from "./values.ts";

export interface Pool {
  learn(answer: unknown): void;
  fill(planned: unknown): unknown;
}

const mostValues = 200;

/** A wanted state is best one that an answer offered. */
const namesFor = (name: string): readonly string[] =>
  name === "to_status" ? ["allowed_transition", "allowed_next", "to_status", "status"] : [name];

/** Only the newest 200 of a name: most ids must be of records that still live. */
export const createPool = (words: ReadDocument["words"]): Pool => {
  const shown = new Map<string, Set<unknown>>();
  const enter = (name: string, value: unknown): void => {
    const values = shown.get(name) ?? new Set();
    shown.set(name, values);
    values.delete(value);
    values.add(value);
    if (values.size > mostValues) values.delete(values.values().next().value);
  };
  for (const [name, word] of words) enter(name, word);
  const learn = (value: unknown, name: string): void => {
    if (Array.isArray(value)) for (const item of value.slice(0, 5)) learn(item, name.replace(/s$/, ""));
    else if (typeof value === "object" && value !== null) {
      for (const [key, member] of Object.entries(value).slice(0, 60)) learn(member, key);
      const change = (value as { change_request_id?: unknown }).change_request_id;
      if (typeof change === "string") enter("cr_id", change);
    } else if (typeof value === "string" && value !== "" && value.length <= 200) enter(name, value);
  };
  const look = ({ name, place, otherwise }: Known): unknown => {
    const lists = namesFor(name).flatMap((one) => shown.get(one) ?? []);
    const at = place * lists.length;
    const values = [...(lists[Math.floor(at)] ?? [])];
    return values.length === 0 ? fill(otherwise) : values[Math.floor((at % 1) * values.length)];
  };
  const fill = (planned: unknown): unknown => {
    if (planned instanceof Known) return look(planned);
    if (planned instanceof Repeated) return planned.text.repeat(planned.times);
    if (Array.isArray(planned)) return planned.map(fill);
    if (typeof planned !== "object" || planned === null) return planned;
    return Object.fromEntries(Object.entries(planned).map(([name, member]) => [name, fill(member)]));
  };
  return { learn: (answer) => learn(answer, ""), fill };
};
