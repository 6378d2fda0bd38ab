import { expect, test } from "vitest";
import { sellerOperations } from "../../agents/seller/operations.ts";
import { gateRefusals } from "../../protocol/neutral/refusals.ts";
import { loadCases, type SkillCase } from "../skills/cases.ts";

const declared = new Map(
  sellerOperations.map(({ contract }) => [contract.name, new Set<string>(Object.keys(contract.refusals))]),
);
const ofGates = new Set<string>(gateRefusals);

type Step = NonNullable<SkillCase["setup"]>[number] | SkillCase;

const refusalsOf = (step: Step): readonly (readonly [string, string])[] =>
  "operation" in step && step.expect?.refusal !== undefined ? [[step.operation, step.expect.refusal.code]] : [];

const met = loadCases().flatMap(({ skillCase }) =>
  [...(skillCase.setup ?? []), skillCase, ...(skillCase.then ?? [])].flatMap(refusalsOf),
);

test("refusals: every one that a case meets is declared by its contract, or given by a gate", () => {
  const undeclared = met.filter(([operation, code]) => {
    const own = declared.get(operation);
    return own !== undefined && !own.has(code) && !ofGates.has(code);
  });
  expect(met.length).toBeGreaterThan(50);
  expect([...new Set(undeclared.map((one) => one.join(": ")))]).toEqual([]);
});
