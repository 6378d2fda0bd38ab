import type { Reporter, TestModule } from "vitest/node";

const stateOf = (test: { result: () => { state: string } }): string => test.result().state;

/** A file that does not load or an error outside any test is a failure: a broken import must never look green. */
export default class PlainReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly unknown[]): void {
    const states = modules.flatMap((module) => [...module.children.allTests()].map(stateOf));
    const broken = modules.filter(
      (module) =>
        module.state() === "failed" && ![...module.children.allTests()].some((test) => stateOf(test) === "failed"),
    );
    const passed = states.filter((state) => state === "passed").length;
    const failed = states.filter((state) => state === "failed").length + broken.length + unhandled.length;
    process.on("exit", () => process.stdout.write(`${passed} passed, ${failed} failed\n`));
  }
}
