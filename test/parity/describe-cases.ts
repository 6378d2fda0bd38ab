import { describe, expect, test } from "vitest";
import type { Runner } from "../../protocol/seam/run/run.ts";
import { type DoorName, type OpenDoors, openDoors } from "../doors/doors.ts";
import { type FoundCase, loadCases, runCase, type SkillCase } from "../skills/cases.ts";
import { type Reply, type Send, sendToRunner, startMs, type World } from "../skills/world.ts";

interface Trace {
  readonly replies: readonly unknown[];
  readonly records: readonly unknown[];
}

/** On A2A every message has a key, on other doors only those that send one. */
const ofTheDoor = new Set(["idempotency"]);

/**
 * Ids and secrets differ in every run, and a cursor counts the rows before it. A key's hint is only its first
 * characters, which two keys may share.
 */
const keyHint = /ask_live_[\w-]+\.\.\./g;
const madeAnew =
  /(?<="next_cursor":")[\w-]+|(?:memory|conv)-[0-9a-f]{16}|qt-[0-9a-f]{12}|(?:prop|neg)-[0-9a-f]{8}|(?:ORD|CR)-[0-9A-F]{12}|DEMO-[0-9A-F]{12}|mb-[0-9a-f]{12}|plan-[0-9a-f]{12}|key-[0-9a-f]{8}|(?:agent|pkg)-[0-9a-f]{8}|(?:wh|vt)-[0-9a-f]{12}|whd-[0-9a-f]{24}|whsec_[\w+/=]+|ask_live_[\w-]+|[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|\b[0-9a-f]{64}\b/g;

/** Opening a session uses the key once more; webhook cursors count rows; doors name requests and themselves. */
const ofTheWay = /(?<="(?:use_count|after)":)\d+|(?<="(?:request_id|door)":)"[^"]+"/g;

const anonymised = (value: unknown): unknown => {
  const places = new Map<string, string>();
  const text = JSON.stringify(value)
    .replace(keyHint, "key-hint")
    .replace(ofTheWay, "0")
    .replace(madeAnew, (found) => {
      const place = places.get(found) ?? `made-${places.size + 1}`;
      places.set(found, place);
      return place;
    });
  // The runner has no connection: its caller has an address of its own.
  return JSON.parse(text.replaceAll("203.0.113.7", "127.0.0.1")) as unknown;
};

const recordsOf = async (world: World): Promise<unknown[]> => {
  const changes = world.changes();
  const kinds = new Set(changes.flatMap((change) => (change.op === "put" ? [change.kind] : [])));
  const records: unknown[] = changes.filter((change) => change.op === "reserve" || change.op === "add");
  for (const kind of [...kinds].filter((one) => !ofTheDoor.has(one)).sort()) {
    const found = await world.store.list({ kind, terms: [], order: "oldest", limit: 500 });
    for (const { version, body } of found) records.push({ kind, version, body });
  }
  return records;
};

const comparable = (reply: Reply): unknown => {
  const { issues, retry_after_seconds: _retry, ...body } = reply.body;
  const list = issues as readonly { type: string; msg: string }[] | undefined;
  const located = list === undefined ? {} : { issues: list.map(({ type, msg }) => ({ type, msg })) };
  return { code: reply.code, status: reply.status, body: { ...body, ...located } };
};

const traceOf = async (skillCase: SkillCase, door: DoorName | "runner"): Promise<Trace> => {
  const replies: unknown[] = [];
  let records: unknown[] = [];
  let open: Promise<OpenDoors> | null = null;
  const sendVia = (runner: Runner): Send => {
    const direct = sendToRunner(runner);
    return async (request, secret) => {
      if (door !== "runner" && request.caller !== "host") open ??= openDoors(runner, () => startMs);
      const doors = request.caller === "host" ? null : await open;
      const reply =
        doors === null || door === "runner" ? await direct(request, secret) : await doors.send(door, request, secret);
      replies.push(comparable(reply));
      return reply;
    };
  };
  try {
    await runCase(skillCase, sendVia, async (world) => {
      records = await recordsOf(world);
    });
  } finally {
    const doors: OpenDoors | null = open === null ? null : await (open as Promise<OpenDoors>);
    await doors?.close();
  }
  return anonymised({ replies, records }) as Trace;
};

const doors = ["rest", "mcp", "a2a"] as const;

/** Stays the same when other cases come or go. */
const numberOf = (file: string): number => Buffer.from(file).reduce((sum, byte) => sum + byte, 0);

/** A supplemental case goes through one door, chosen by its file name. */
const someDoors = (file: string): readonly DoorName[] =>
  file.includes("exemplary") ? doors : [doors[numberOf(file) % doors.length] ?? "rest"];

/** A text is an A2A message and has no other door. */
const doorsOf = ({ file, operation }: FoundCase, all: boolean): readonly DoorName[] => {
  if (operation === "converse") return [];
  return all ? doors : someDoors(file);
};

/** The runner must answer as the case says; doors must give the same answers and leave the same records. */
export const describeCases = (groups: readonly string[], through: "some doors" | "all doors"): void => {
  const cases = loadCases().filter(({ group }) => groups.includes(group));
  describe.each(cases.map((found) => [found.file, found.skillCase.title, found] as const))("%s: %s", (_, __, found) => {
    let direct: Promise<Trace> | null = null;
    test("the runner answers as the case says", async () => {
      expect(found.skillCase.operation).toBe(found.operation);
      direct = traceOf(found.skillCase, "runner");
      await direct;
    });
    test.each(doorsOf(found, through === "all doors"))("%s gives its answers and leaves its records", async (door) => {
      direct ??= traceOf(found.skillCase, "runner");
      expect(await traceOf(found.skillCase, door)).toEqual(await direct);
    });
  });
};
