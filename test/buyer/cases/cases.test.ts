import { describe, expect, test } from "vitest";
import { buyerOperations } from "../../../agents/buyer/operations.ts";
import type { Runner } from "../../../protocol/seam/run/run.ts";
import { type DoorName, type OpenDoors, openDoors } from "../../doors/doors.ts";
import { loadCasesOf, runCaseIn } from "../../skills/cases.ts";
import { type Send, sendToRunner, startMs } from "../../skills/world.ts";
import { type BuyerCase, openBuyerCase } from "./world.ts";

const cases = loadCasesOf(import.meta.dirname);
const exemplary = cases.filter(({ file }) => file.includes("/exemplary/"));

/** No door: the halves of an approval that commit before anything is booked. */
const inner = new Set(["decide_booking", "ask_line_cancellation"]);

/** Two writers at the same moment, which a case cannot arrange: test/buyer/bookings.test.ts. */
const isRace = (code: string): boolean => code === "concurrent_update";

const contracts = buyerOperations
  .map(({ contract }) => contract)
  // health_check has one door only; its test is in test/buyer/inbound.test.ts.
  .filter(({ name }) => !inner.has(name) && name !== "health_check");

const run = async (of: BuyerCase, sendVia?: (runner: Runner) => Send): Promise<void> => {
  const world = await openBuyerCase(of, sendVia);
  try {
    await runCaseIn(world, of, world.saved);
  } finally {
    await world.close();
  }
};

const runThrough = async (door: DoorName, of: BuyerCase): Promise<void> => {
  let open: Promise<OpenDoors> | null = null;
  try {
    await run(of, (runner) => {
      const direct = sendToRunner(runner);
      return async (request, secret) => {
        if (request.caller === "host") return direct(request, secret);
        open ??= openDoors(runner, () => startMs);
        return (await open).send(door, request, secret);
      };
    });
  } finally {
    if (open !== null) await (await (open as Promise<OpenDoors>)).close();
  }
};

describe("cases of the buyer's operations", () => {
  test.each(cases.map((found) => [`${found.skillCase.title} (${found.file})`, found] as const))(
    "%s",
    async (_, { operation, skillCase }) => {
      expect(skillCase.operation).toBe(operation);
      await run(skillCase);
    },
  );

  test.each(
    exemplary.flatMap(({ file, skillCase }) =>
      (["rest", "mcp", "a2a", "rpc"] as const).map((door) => [`${file} through ${door}`, door, skillCase] as const),
    ),
  )("parity: %s answers the same", async (_, door, skillCase) => {
    await runThrough(door, skillCase);
  });

  test("every operation has an exemplary case, in the folder of its group", () => {
    const missing = contracts
      .map(({ group, name }) => `${group}/${name}/exemplary/`)
      .filter((place) => !cases.some(({ file }) => file.startsWith(place)));
    expect(missing).toStrictEqual([]);
  });

  test("every refusal that a contract declares has a case that meets it", () => {
    const met = new Set(
      cases.flatMap(({ skillCase }) =>
        [skillCase, ...(skillCase.setup ?? []), ...(skillCase.then ?? [])].flatMap((step) =>
          "operation" in step && step.expect?.refusal ? [`${step.operation} ${step.expect.refusal.code}`] : [],
        ),
      ),
    );
    const declared = contracts.flatMap(({ name, refusals }) =>
      Object.keys(refusals)
        .filter((code) => !isRace(code))
        .map((code) => `${name} ${code}`),
    );
    expect(declared.filter((pair) => !met.has(pair))).toStrictEqual([]);
  });
});
