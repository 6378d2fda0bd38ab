import { afterAll, beforeAll, describe, test } from "vitest";
import { readCases, readTestConfig, runCase, runtimesOf } from "./harness/cases.ts";
import { LETTERS, startTestEdge, type Letter, type TestEdge } from "./harness/edge.ts";
import { startUpstream, type Upstream } from "./harness/upstream.ts";

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
