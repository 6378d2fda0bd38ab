import { readFile } from "node:fs/promises";
import type { Command } from "commander";
import { type BookingReport, bookBrief, briefOfText, doorOfHost } from "../buyer/book.ts";
import { renderBookingTable } from "../buyer/booking-table.ts";
import { StartFailure } from "../settings.ts";
import { onHost } from "./agents.ts";
import { type CommandContext, ExitWith } from "./context.ts";

interface BookFlags {
  readonly data?: string;
  readonly review?: boolean;
  readonly json?: boolean;
  readonly idempotencyKey?: string;
}

const textOf = (file: string): Promise<string> =>
  readFile(file, "utf8").catch(() => {
    throw new StartFailure(`${file} cannot be read. Name a brief file; test/examples/brief.json shows one.`);
  });

const show = (context: CommandContext, flags: BookFlags, report: BookingReport): void =>
  context.print(flags.json === true ? JSON.stringify(report, null, 2) : renderBookingTable(report));

const book = async (context: CommandContext, file: string, flags: BookFlags): Promise<void> => {
  const brief = briefOfText(await textOf(file));
  const report = await onHost(context, { ...flags, agent: "buyer" }, { sells: false, writes: true }, (host) =>
    bookBrief(doorOfHost(host, context.environment["PARLEY_KEY"] ?? null), brief, {
      autoApprove: flags.review !== true,
      ...(flags.idempotencyKey === undefined ? {} : { idempotencyKey: flags.idempotencyKey }),
    }),
  );
  show(context, flags, report);
  if (report.status === "failed") throw new ExitWith(1);
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
