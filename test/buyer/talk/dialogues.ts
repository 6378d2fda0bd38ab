import { readFileSync } from "node:fs";
import { expect, onTestFinished, test } from "vitest";
import { keyFor, sellerHere } from "../seller-here.ts";
import { type Job, settledJob } from "../world.ts";
import { jobsOf, openTalk, type Talker, talkWith } from "./talker.ts";

/** `has`: words of the answer, each with its alternatives behind "|"; `not`: words that it must not hold. */
interface Turn {
  readonly say: string;
  readonly has?: readonly string[];
  readonly not?: readonly string[];
  /** All jobs, and all booked lines, after the turn. */
  readonly jobs?: number;
  readonly deals?: number;
}

interface Dialogue {
  readonly title: string;
  /** A seller that keeps orders; else one with a display and a CTV product and nothing more. */
  readonly market?: "real";
  /** Campaigns of other conversations, which wait for approval. */
  readonly others?: readonly string[];
  readonly turns: readonly Turn[];
}

const dialoguesIn = (file: string): readonly Dialogue[] =>
  JSON.parse(readFileSync(new URL(file, import.meta.url), "utf8")) as readonly Dialogue[];

const opened = async ({ market }: Dialogue): Promise<Talker> => {
  if (market === undefined) {
    const talker = await openTalk();
    onTestFinished(() => talker.close());
    return talker;
  }
  const seller = await sellerHere();
  onTestFinished(() => seller.close());
  const key = await keyFor(seller, { seat_id: "s1", agency_id: "a1", advertiser_id: "v1" });
  const talker = await talkWith({ url: seller.url, key });
  onTestFinished(() => talker.close());
  return talker;
};

const settled = async (talker: Talker): Promise<readonly Job[]> => {
  const jobs: Job[] = [];
  for (const { job_id: id } of await jobsOf(talker)) jobs.push(await settledJob(talker.world.buyer, id));
  return jobs;
};

/** Letters and digits of a random id would be taken for words. */
const withoutIds = (text: string, other: string | undefined): string =>
  text.replaceAll(/\b[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}\b/g, (id) => (id === other ? "{other}" : "{job}"));

const wrongIn = (turn: Turn, text: string, jobs: readonly Job[]): readonly string[] => {
  const said = text.toLowerCase();
  const holds = (words: string): boolean => words.split("|").some((one) => said.includes(one.toLowerCase()));
  const deals = jobs.reduce((sum, job) => sum + job.booked_lines.length, 0);
  return [
    ...(turn.has ?? []).filter((words) => !holds(words)).map((words) => `lacks ${words}`),
    ...(turn.not ?? []).filter(holds).map((words) => `says ${words}`),
    ...(turn.jobs === undefined || turn.jobs === jobs.length ? [] : [`${jobs.length} jobs`]),
    ...(turn.deals === undefined || turn.deals === deals ? [] : [`${deals} deals`]),
  ];
};

/** Every turn of every dialogue in the file, and all that was answered wrong at once. */
export const testDialogues = (file: string): void => {
  test.each(dialoguesIn(file).map((one) => [one.title, one] as const))("%s", async (_title, dialogue) => {
    const talker = await opened(dialogue);
    for (const [place, name] of (dialogue.others ?? []).entries()) {
      const context = `other-${place}`;
      const brief = "Spend 50k on display and CTV in March 2027 for sports fans, brand awareness";
      await talker.say(`${brief}, call it ${name}`, { context });
      await talker.say("yes", { context });
      await settled(talker);
    }
    const [other] = (await settled(talker)).toReversed();
    const wrong: string[] = [];
    for (const [place, turn] of dialogue.turns.entries()) {
      const before = await settled(talker);
      const deal = before.flatMap((job) => job.booked_lines)[0]?.deal_id ?? "{deal}";
      const filled = (text: string): string => text.replace("{deal}", deal);
      const say = filled(turn.say).replace("{other}", String(other?.job_id));
      const { text } = await talker.say(say);
      const here = { ...turn, has: turn.has?.map(filled), not: turn.not?.map(filled) } as Turn;
      const found = wrongIn(here, withoutIds(text, other?.job_id), await settled(talker));
      if (found.length > 0) wrong.push(`${place + 1}. ${say}\n   ${found.join("; ")}\n   ${text}`);
    }
    expect(wrong.join("\n\n")).toBe("");
  });
};
