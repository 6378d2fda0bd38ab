import type { Term } from "../brief/form.ts";
import { chosenOf, noPick, type Pick as LinePick } from "../reader/lines.ts";
import type { Request } from "../reader/request.ts";
import { type BookedLine, bookedLines, type Job, type LineRow, rowsOf } from "./job.ts";

type BookedRow = LineRow & { readonly booked: BookedLine };

const wordsOf = (text: string): readonly string[] =>
  text
    .toLowerCase()
    .split(/[^\p{L}\d]+/u)
    .filter((word) => word !== "");

/** "The rewarded video", of "Mobile App Rewarded Video": two of its words, one behind the other. */
const isNamedIn = (said: readonly string[], name: string): boolean => {
  const own = wordsOf(name);
  const pairs = said.slice(1).map((word, at) => `${said[at]} ${word}`);
  return own.slice(1).some((word, at) => pairs.includes(`${own[at]} ${word}`));
};

/** "In January/February": of several deals those that begin then, else those that run then. */
const ofDays = (rows: readonly BookedRow[], terms: readonly Term[]): readonly BookedRow[] => {
  const spans = terms.flatMap((term) =>
    term.kind === "days" && term.start !== null && term.end !== null ? [{ from: term.start, to: term.end }] : [],
  );
  const begins = ({ booked: { flight_start: start } }: BookedRow): boolean =>
    spans.some(({ from, to }) => start != null && start >= from && start <= to);
  const runs = ({ booked: { flight_start: start, flight_end: end } }: BookedRow): boolean =>
    spans.some(({ from, to }) => start != null && end != null && start <= to && end >= from);
  const found = [rows.filter(begins), rows.filter(runs)].find((some) => some.length > 0);
  return found ?? rows;
};

const isPlain = ({ lines, except }: LinePick): boolean =>
  except.length === 0 && lines.every(({ by }) => by === "channel" || by === "name" || by === "all");

/** Booked deals that are named by their ids, else those that a product's name, a channel and days describe. */
export const describedDeals = (job: Job, { said: own, input }: Request): readonly BookedLine[] => {
  const before = input["before"] as Pick<Request, "said" | "input"> | undefined;
  const text = `${before?.said ?? ""} ${own}`;
  const booked = bookedLines(job);
  const rows = rowsOf(job).flatMap((row) =>
    row.booked !== null && booked.includes(row.booked) ? [{ ...row, booked: row.booked }] : [],
  );
  const byId = rows.filter(({ booked: { deal_id: id } }) => text.toLowerCase().includes(id.toLowerCase()));
  const pick = (input["pick"] as LinePick | undefined) ?? noPick;
  if (byId.length > 0 || !isPlain(pick)) return byId.map((row) => row.booked);
  const named = rows.filter(({ booked: { product_name: name } }) => isNamedIn(wordsOf(text), name));
  // "Rewarded video" is of that product, and of no other video.
  const isOfName = (value: string): boolean => named.some((row) => wordsOf(row.booked.product_name).includes(value));
  const picked = pick.lines.flatMap((line) => {
    if (line.by === "all" || (line.by === "channel" && isOfName(line.value))) return [];
    const found = chosenOf({ lines: [line], except: [] }, rows);
    return "problem" in found ? [] : found.lines;
  });
  const terms = [before?.input, input].flatMap((one) => (one?.["terms"] as readonly Term[] | undefined) ?? []);
  return ofDays([...new Set([...named, ...picked])], terms).map((row) => row.booked);
};
