import { describe, expect, test } from "vitest";
import type { Runner } from "../../protocol/seam/run.ts";
import { type DoorName, type OpenDoors, openDoors } from "../doors/doors.ts";
import { loadCases, runCase, type SkillCase } from "../skills/cases.ts";
import { type Reply, type Send, sendToRunner, startMs, type World } from "../skills/world.ts";

/** What one run of a case left behind: every answer, and every record of the store. */
interface Trace {
  readonly replies: readonly unknown[];
  readonly records: readonly unknown[];
}

/** On A2A every message has a key, through the other doors only those that send one. */
const ofTheDoor = new Set(["idempotency"]);

/**
 * Ids and secrets are made anew in every run, and a cursor counts the rows before it, idempotency records too: each is
 * replaced by its place of first appearance. A key's hint is only its first characters, which two keys may share: it is
 * replaced by one word.
 */
const keyHint = /ask_live_[\w-]+\.\.\./g;
const madeAnew =
  /(?<="next_cursor":")\d+|qt-[0-9a-f]{12}|(?:prop|neg)-[0-9a-f]{8}|(?:ORD|CR)-[0-9A-F]{12}|DEMO-[0-9A-F]{12}|key-[0-9a-f]{8}|(?:agent|pkg)-[0-9a-f]{8}|(?:wh|vt)-[0-9a-f]{12}|whd-[0-9a-f]{24}|whsec_[\w+/=]+|ask_live_[\w-]+|[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|\b[0-9a-f]{64}\b/g;

/**
 * A door that opens a session before its first call uses the key more often; the cursor of the webhooks counts rows as
 * well; and each door names requests in its own way.
 */
const ofTheWay = /(?<="(?:use_count|after)":)\d+|(?<="request_id":)"[^"]+"/g;

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
  return JSON.parse(text) as unknown;
};

/** Every row that is left of all kinds that the case wrote, and every reservation that it made. */
const recordsOf = async (world: World): Promise<unknown[]> => {
  const changes = world.changes();
  const kinds = new Set(changes.flatMap((change) => (change.op === "put" ? [change.kind] : [])));
  const records: unknown[] = changes.filter((change) => change.op === "reserve");
  for (const kind of [...kinds].filter((one) => !ofTheDoor.has(one)).sort()) {
    const found = await world.store.list({ kind, terms: [], order: "oldest", limit: 500 });
    for (const { version, body } of found) records.push({ kind, version, body });
  }
  return records;
};

/** What all doors must agree on: a refusal's status and body, an answer's output. */
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

const closedTo = (skillCase: SkillCase): boolean => skillCase.operation === "converse";

/** How many test files share the cases, so that they run beside one another. */
const shares = 3;

/**
 * Every case of a share through each door: the runner's answers, and the runner's records. The doors are held to one
 * trace of the runner, which is made once.
 */
export const describeParity = (share: 0 | 1 | 2): void => {
  const cases = loadCases().filter(({ skillCase }, index) => index % shares === share && !closedTo(skillCase));
  describe.each(cases.map(({ file, skillCase }) => [file, skillCase] as const))("parity: %s", (_file, skillCase) => {
    let direct: Promise<Trace> | null = null;
    test.each(["rest", "mcp", "a2a"] as const)(
      "gives the runner's answers and leaves the runner's records through %s",
      async (door) => {
        direct ??= traceOf(skillCase, "runner");
        expect(await traceOf(skillCase, door)).toEqual(await direct);
      },
    );
  });
};
