import { isUtf8 } from "node:buffer";
import { readFile } from "node:fs/promises";
import type { Command } from "commander";
import {
  type BookingReport,
  bookBrief,
  briefOfText,
  doorOfHost,
  howToLook,
  unfinishedBookings,
} from "../buyer/jobs/book.ts";
import { renderBookingTable } from "../buyer/jobs/booking-table.ts";
import { StartFailure } from "../../protocol/neutral/settings.ts";
import { printable } from "../host/text-table.ts";
import { onHost } from "./agents.ts";
import { type CommandContext, ExitWith } from "./context.ts";

interface BookFlags {
  readonly data?: string;
  readonly review?: boolean;
  readonly json?: boolean;
  readonly idempotencyKey?: string;
}

const briefText = async (file: string): Promise<string> => {
  const bytes = await readFile(file).catch(() => {
    throw new StartFailure(`${file} cannot be read. Name a brief file; test/examples/brief.json shows one.`);
  });
  if (!isUtf8(bytes)) throw new StartFailure(`The text of ${file} is not UTF-8. Save the file in that encoding.`);
  return bytes.toString("utf8");
};

const show = (context: CommandContext, flags: BookFlags, report: BookingReport): void =>
  context.print(flags.json === true ? JSON.stringify(report, null, 2) : renderBookingTable(report));

/** Warns of an unfinished earlier booking, which may buy the same brief. */
const tellUnfinished = (earlier: Awaited<ReturnType<typeof unfinishedBookings>>, ownId: string): void => {
  for (const { job_id, campaign_name } of earlier.filter((job) => job.job_id !== ownId)) {
    const said = `booking ${job_id} (${printable(campaign_name)}) was not finished and goes on beside this one`;
    process.stderr.write(`parley: ${said}. ${howToLook(job_id)}\n`);
  }
};

const book = async (context: CommandContext, file: string, flags: BookFlags): Promise<void> => {
  const { brief, waits } = briefOfText(await briefText(file));
  const report = await onHost(context, { ...flags, agent: "buyer" }, { sells: false, writes: true }, async (host) => {
    const door = doorOfHost(host, context.environment["PARLEY_KEY"] ?? null);
    const earlier = await unfinishedBookings(door);
    const booked = await bookBrief(door, brief, {
      autoApprove: flags.review !== true && !waits,
      ...(flags.idempotencyKey === undefined ? {} : { idempotencyKey: flags.idempotencyKey }),
    });
    tellUnfinished(earlier, booked.job_id);
    return booked;
  });
  show(context, flags, report);
  if (report.status === "failed") throw new ExitWith(1);
  // A person has to approve before it goes on.
  if (report.status === "awaiting_approval") throw new ExitWith(4);
};

/** `parley book BRIEF`: the buyer turns a brief into booked deals, and the deals are shown. */
export const addBookCommand = (program: Command, context: CommandContext): void => {
  program
    .command("book <brief>")
    .description("book a campaign brief (a JSON file) through the buyer of this host")
    .option("--data <dir>", "data folder of the buyer")
    .option("--review", "stop before booking, for a person to approve the recommendations")
    .option("--json", "print the result as JSON")
    .option("--idempotency-key <key>", "book once, however often the command is repeated within a day")
    .action((file: string, flags: BookFlags) => book(context, file, flags));
};
