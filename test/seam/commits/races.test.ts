import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { randomUUID } from "node:crypto";
import { z } from "zod";
import { sellerOperations } from "../../../agents/seller/operations.ts";
import type { Contract } from "../../../protocol/seam/operation.ts";
import { type DoorName, type OpenDoors, openDoors } from "../../doors/doors.ts";
import { loadCases, openCase, type SkillCase } from "../../skills/cases.ts";
import { exemplaryCase } from "../../skills/examples.ts";
import { openWorld, type Reply, type Request, startMs, type World } from "../../skills/world.ts";
import { loseAnswers, raceForQuotes } from "./races.ts";

describe("a seller", () => {
  let world: World;
  let doors: OpenDoors;
  beforeEach(async () => {
    world = await openWorld();
    doors = await openDoors(world.runner, () => startMs);
  });
  afterEach(async () => {
    await doors.close();
    await world.close();
  });

  test("race: 500 quotes booked twice at once are 500 deals and 500 times 409", () => raceForQuotes(world, 500));

  test("lost answer: 50 bookings whose connection was cut are found again by their key", () =>
    loseAnswers(world, doors, 50));
});

/** A case's own caller may revoke its key, and is then let in once. */
const cases = loadCases().filter(({ skillCase }) => !skillCase.caller.startsWith("{{"));

/** The one left out has its own tests. */
const mutations = sellerOperations
  .map(({ contract }) => contract)
  .filter(({ name, effect }) => effect !== "read" && name !== "sync_packages")
  .map((contract) => ({ name: contract.name, contract, skillCase: exemplaryCase(cases, contract.name)?.skillCase }));

type Members = Readonly<Record<string, unknown>>;

/** Null where none is known. */
const another = (value: unknown): unknown => {
  if (typeof value === "string") return `${value}0`;
  if (typeof value === "number") return value + 1;
  if (Array.isArray(value)) return value.slice(1);
  return typeof value === "boolean" ? !value : null;
};

const wordsOf = (contract: Contract, member: string): readonly unknown[] => {
  const { properties } = z.toJSONSchema(contract.input, { io: "input", unrepresentable: "any" });
  const schema = properties?.[member];
  const forms = typeof schema === "object" ? [schema, ...(schema.anyOf ?? [])] : [];
  return forms.flatMap((form) => (typeof form === "object" ? (form.enum ?? []) : []));
};

/** Still valid, but another request. */
const changedInput = (contract: Contract, input: Members): Members => {
  const read = JSON.stringify(contract.input.parse(input));
  for (const [member, value] of Object.entries(input)) {
    for (const other of [another(value), ...wordsOf(contract, member)]) {
      const changed = { ...input, [member]: other };
      const parsed = contract.input.safeParse(changed);
      if (parsed.success && JSON.stringify(parsed.data) !== read) return changed;
    }
  }
  throw new Error(`nothing in the input of ${contract.name}'s case can be changed: ${JSON.stringify(input)}`);
};

/** Audit links, events and kept answers. */
const left = async ({ store }: World): Promise<readonly number[]> => [
  (await store.auditHeads()).reduce((sum, head) => sum + head.seq, 0),
  await store.count("event", null),
  await store.count("idempotency", null),
];

const grownBy = async (of: World, body: () => Promise<void>): Promise<readonly number[]> => {
  const before = await left(of);
  await body();
  return (await left(of)).map((count, index) => count - (before[index] ?? 0));
};

const threeDoors: readonly DoorName[] = ["rest", "mcp", "a2a"];

/** A secret is in the first answer only (decision 78). */
const shown = ({ body }: Reply): unknown => ({
  ...body,
  ...("api_key" in body ? { api_key: null } : {}),
  ...("secret" in body ? { secret: null } : {}),
});

interface Prepared {
  readonly world: World;
  readonly request: Request;
  readonly through: (door: DoorName, request: Request) => Promise<Reply>;
}

const withCase = async (skillCase: SkillCase | undefined, work: (prepared: Prepared) => Promise<void>) => {
  if (skillCase === undefined) throw new Error("no exemplary case");
  const opened = await openCase(skillCase, {});
  const open = await openDoors(opened.world.runner, opened.world.nowMs);
  const caller = opened.request.caller === "host" ? "senior" : opened.request.caller;
  try {
    await work({
      world: opened.world,
      request: { ...opened.request, caller, idempotencyKey: randomUUID() },
      through: (door, request) => open.send(door, request, opened.world.secretOf(caller)),
    });
  } finally {
    await open.close();
    await opened.world.close();
  }
};

test.each(mutations)(
  "key: $name sent 64 times at once through three doors is done once",
  async ({ contract, skillCase }) => {
    let once: readonly number[] = [];
    await withCase(skillCase, async ({ world: alone, request }) => {
      once = await grownBy(alone, async () => expect((await alone.send(request)).code).toBeNull());
    });
    await withCase(skillCase, async ({ world: crowded, request, through }) => {
      const replies: Reply[] = [];
      const grown = await grownBy(crowded, async () => {
        const sent = Array.from({ length: 64 }, (_, index) => through(threeDoors[index % 3] as DoorName, request));
        replies.push(...(await Promise.all(sent)));
      });
      expect(grown).toEqual(once);
      const done = replies.filter((reply) => reply.code === null);
      const waiting = replies.filter((reply) => reply.code !== null);
      expect(new Set(waiting.map(({ status, code }) => `${status} ${code}`)).size).toBeLessThanOrEqual(1);
      for (const reply of waiting) expect([reply.status, reply.code]).toEqual([409, "idempotency_in_flight"]);
      expect(done.filter((reply) => !reply.replayed)).toHaveLength(1);
      expect(done.filter((reply) => typeof reply.body["api_key"] === "string").length).toBeLessThanOrEqual(1);
      const first = done.find((reply) => !reply.replayed) as Reply;
      for (const door of threeDoors) done.push(await through(door, request));
      for (const reply of done) expect(shown(reply)).toEqual(shown(first));
      const changed = { ...request, input: changedInput(contract, request.input as Members) };
      const quiet = await grownBy(crowded, async () => {
        for (const door of threeDoors) {
          const { status, code } = await through(door, changed);
          expect([status, code]).toEqual([409, "idempotency_conflict"]);
        }
      });
      expect(quiet.every((count) => count === 0)).toBe(true);
    });
  },
);
