import { answered, type Said } from "../talk.ts";
import { outcomeWords } from "./deals.ts";
import {
  bookedLines,
  capital,
  isCancelled,
  type Job,
  nextWords,
  type LineRow,
  placeWords,
  rowsOf,
  stateWords,
  titled,
} from "./job.ts";

const isBooked = ({ booked }: LineRow): boolean => booked !== null && booked.is_booked !== false;

const isOff = ({ line, booked }: LineRow): boolean =>
  line.status === "rejected" || booked?.is_booked === false || booked?.cancellation?.state === "done";

/** In one sentence, as the records stand. */
const rowWords = (job: Job, row: LineRow): string => {
  const { line, booked, place } = row;
  const name = `Line ${place}, ${line.product_name},`;
  if (booked !== null) return `${name.slice(0, -1)}: ${outcomeWords(job, booked)}`;
  if (line.status === "rejected") return `${name} is dropped; it is not booked.`;
  if (row.isWaiting) return `${name} waits for your approval; it is not booked.`;
  return `${name} is not booked${line.error === null ? "." : `: ${line.error}.`}`;
};

/** What a message leaves alone beside something else. */
export const leftAsIs = (job: Job, rows: readonly LineRow[]): Said =>
  answered(`Left as it is: ${rows.length === 0 ? titled(job) : rows.map(placeWords).join(", ")}.`);

/** What a question asks of lines: whether they are off, booked, switched on by the seller, or wait for an approval. */
export type AskedState = "off" | "booked" | "live" | "waiting" | "started";

const isSo: Readonly<Record<AskedState, (row: LineRow) => boolean>> = {
  off: isOff,
  booked: isBooked,
  waiting: ({ isWaiting }) => isWaiting,
  started: () => true,
  live: ({ booked }) => booked?.booking_status === "active" || booked?.booking_status === "live",
};

const nouns: Readonly<Record<AskedState, string>> = {
  off: "cancelled",
  booked: "booked",
  live: "live",
  waiting: "waiting",
  started: "started",
};

/**
 * "Is it cancelled?", "is line 1 booked?": yes or no, and the lines that are meant; no yes is asked for. Null asks how
 * they stand.
 */
export const lineStates = (job: Job, asked: AskedState | null, meant: readonly LineRow[]): Said => {
  const rows = rowsOf(job);
  const more = { understood: { job_id: job.job_id }, isBeside: true };
  // What was dropped before it was booked is no cancelled booking.
  const isOfBooked = asked === "off" && rows.some(isBooked);
  const isDecided = ({ booked }: LineRow): boolean => (booked?.cancellation ?? null) !== null;
  const isAskedOf = (asked === null || asked === "off") && rows.some(isDecided);
  const shown =
    meant.length > 0
      ? meant
      : isAskedOf
        ? rows.filter(isDecided)
        : isOfBooked
          ? rows.filter(({ booked }) => booked !== null)
          : rows;
  if (asked === null) return answered([`Of ${titled(job)}:`, ...shown.map((row) => rowWords(job, row))], more);
  const so = shown.filter(isSo[asked]);
  const isWhole = meant.length === 0;
  if (isWhole && asked === "off" && isCancelled(job))
    return answered(`Yes: ${titled(job)} is cancelled by you. Nothing of it is booked.`, more);
  if (isWhole && asked === "started") return answered(`Yes, ${titled(job)} is started: ${stateWords(job)}`, more);
  if (rows.length === 0) return answered(`${capital(titled(job))}: ${stateWords(job)}`, more);
  const yes =
    so.length === shown.length
      ? "Yes."
      : so.length === 0
        ? "No."
        : `${so.length} of ${shown.length} are ${nouns[asked]}.`;
  const next = bookedLines(job).length === 0 && isWhole ? [nextWords(job)] : [];
  return answered([yes, ...shown.map((row) => rowWords(job, row)), ...next], more);
};
