import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { jobsOf, openTalk, type Talker } from "./talker.ts";
import { callAgent, settledJob } from "../world.ts";

type Members = Readonly<Record<string, unknown>>;

/** `says` follows the brief of the file, unless it is `fresh`. Without `starts` no job begins. */
interface BriefCase {
  readonly says: readonly string[];
  readonly fresh?: true;
  /** The brief that the last answer shows. */
  readonly brief?: Members;
  readonly without?: readonly string[];
  /** The brief that the last message starts. */
  readonly starts?: Members;
  /** Words of the last answer, in which no brief waits for a yes. */
  readonly asks?: string;
  /** Words of any answer. */
  readonly said?: readonly string[];
}

/** Of a job with a line for display at 10 CPM and one for CTV at 20, both waiting. */
interface JobCase {
  readonly says: readonly string[];
  readonly said?: readonly string[];
  readonly deals: number;
  readonly status?: string;
}

interface Conversations {
  readonly brief: string;
  readonly briefs: readonly BriefCase[];
  readonly jobs: readonly JobCase[];
}

const file = new URL("conversations.json", import.meta.url);
const { brief: full, briefs, jobs } = JSON.parse(readFileSync(file, "utf8")) as Conversations;
const titled = <T extends { readonly says: readonly string[] }>(cases: readonly T[]) =>
  cases.map((one) => [one.says.join(" / ").slice(0, 100), one] as const);

const sorted = (brief: Members): Members => ({
  ...brief,
  ...(Array.isArray(brief["channels"]) ? { channels: (brief["channels"] as string[]).toSorted() } : {}),
});

describe("what is said about a brief", () => {
  let talker: Talker;
  beforeAll(async () => {
    talker = await openTalk();
  });
  afterAll(() => talker.close());

  test.each(titled(briefs))("%s", async (_title, { says, fresh, brief, without = [], starts, asks, said = [] }) => {
    const context = crypto.randomUUID();
    const before = (await jobsOf(talker)).length;
    const texts: string[] = [];
    let last = { text: "", data: {} as Members };
    for (const text of fresh === true ? says : [full, ...says]) {
      last = await talker.say(text, { context });
      texts.push(last.text);
    }
    for (const words of said) expect(texts.join("\n")).toContain(words);
    const jobsNow = await jobsOf(talker);
    expect(jobsNow).toHaveLength(before + (starts === undefined ? 0 : 1));
    if (starts !== undefined) {
      const { output } = await callAgent(talker.world.buyer, "get_booking", { job_id: jobsNow[0]?.job_id });
      expect(sorted(output["brief"] as Members)).toMatchObject(starts);
    }
    if (brief !== undefined) {
      expect(last.text).toContain("Shall I start it?");
      const shown = (last.data["understood"] as { brief: Members }).brief;
      expect(sorted(shown)).toMatchObject(brief);
      for (const name of without) expect(shown).not.toHaveProperty(name);
    }
    if (asks !== undefined) {
      expect(last.text).toContain(asks);
      expect(last.text).not.toContain("Shall I start it?");
    }
  });
});

describe("what is said about a job", () => {
  test.each(titled(jobs))("%s", async (_title, { says, said = [], deals, status }) => {
    const talker = await openTalk();
    await talker.say(full);
    await talker.say("yes");
    const [job] = await jobsOf(talker);
    const jobId = String(job?.job_id);
    await settledJob(talker.world.buyer, jobId);
    let last = "";
    for (const text of says) last = (await talker.say(text)).text;
    for (const words of said) expect(last).toContain(words);
    expect(talker.seller.deals.size).toBe(deals);
    expect(await jobsOf(talker)).toHaveLength(1);
    if (status !== undefined) expect((await settledJob(talker.world.buyer, jobId)).status).toBe(status);
    await talker.close();
  });
});
