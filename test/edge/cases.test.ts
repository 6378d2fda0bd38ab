import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readCases, readTestConfig, runCase, runtimesOf, unexplained } from "./harness/cases.ts";
import { LETTERS, startTestEdge, type Letter, type TestEdge } from "./harness/edge.ts";
import { startUpstream, type Upstream } from "./harness/upstream.ts";

describe("the runtimes differ only where the tables say so", () => {
  test("each difference between them names its row", () => {
    expect(unexplained([...readCases().values()].flat())).toEqual([]);
  });

  test("a difference without a row, and a row without a difference, are found", () => {
    const step = { expect: { status: 200 } };
    const planted = [
      { title: "only on A", on: ["A" as const], steps: [step] },
      { title: "otherwise on B", steps: [{ ...step, expectOn: { B: { status: 400 } } }] },
      { title: "alike", row: "Geo" as const, steps: [step] },
      { title: "explained", row: "Geo" as const, on: ["A" as const], steps: [step] },
    ];
    expect(unexplained(planted)).toEqual(["only on A", "otherwise on B", "alike"]);
  });
});

for (const [config, cases] of readCases()) {
  describe(`edge, configuration ${config}`, () => {
    let upstream: Upstream;
    const edges = new Map<Letter, TestEdge>();

    beforeAll(async () => {
      upstream = await startUpstream();
      const text = readTestConfig(config, upstream);
      const wanted = LETTERS.filter((letter) => cases.some((one) => runtimesOf(one).includes(letter)));
      for (const letter of wanted) edges.set(letter, await startTestEdge(letter, { config: text }));
    });

    afterAll(async () => {
      for (const edge of edges.values()) await edge.close();
      await upstream.close();
    });

    for (const one of cases) {
      for (const letter of runtimesOf(one)) {
        test(`${one.title} [${letter}]`, async () => {
          const edge = edges.get(letter);
          if (edge === undefined) throw new Error(`runtime ${letter} was not started`);
          await runCase(one, letter, edge.url, upstream);
        });
      }
    }
  });
}
