import { afterAll, afterEach, beforeAll } from "vitest";

/* Output of the programs under test is shown only with a failing test; Vitest does the same for the console. */

const streams = [process.stdout, process.stderr] as const;
const written: string[] = [];
const originals = streams.map((stream) => stream.write.bind(stream));

beforeAll(() => {
  for (const stream of streams) {
    stream.write = ((chunk: string | Uint8Array, ...more: readonly unknown[]) => {
      written.push(typeof chunk === "string" ? chunk : Buffer.from(chunk).toString("utf8"));
      const done = more.findLast((one) => typeof one === "function") as (() => void) | undefined;
      done?.();
      return true;
    }) as typeof stream.write;
  }
});

afterEach(({ task }) => {
  const text = written.splice(0).join("");
  if (task.result?.state === "fail" && text !== "") console.error(text);
});

afterAll(() => {
  for (const [at, stream] of streams.entries()) stream.write = originals[at] as typeof stream.write;
  written.length = 0;
});
