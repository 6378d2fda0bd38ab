import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { z } from "zod";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { defineContract, defineOperation } from "../../protocol/operation.ts";
import { type Sample, serveSample } from "./sample.ts";

let sample: Sample;
let goOn: () => void;
let begun = 0;

const waiting = defineOperation(
  defineContract({
    name: "wait_here",
    group: "notes",
    summary: "Answers when it is told to.",
    effect: "write",
    access: "public",
    input: z.object({ text: z.string() }),
    output: z.looseObject({}),
    refusals: {},
    rest: { method: "POST", path: "/wait" },
  }),
  async (_context, { text }) => {
    begun += 1;
    if (text === "wait") await new Promise<void>((resolve) => (goOn = resolve));
    return { output: { text } };
  },
);

beforeEach(async () => {
  begun = 0;
  sample = await serveSample({ operations: [waiting] });
});
afterEach(() => sample.close());

const lost = (): readonly unknown[] =>
  sample.logged.filter(({ message }) => message === "connection lost").map(({ fields }) => fields["code"]);

const open = async (): Promise<Socket> => {
  const socket = connect(sample.port, "127.0.0.1");
  await once(socket, "connect");
  return socket;
};

const head = (length: number): string =>
  `POST /wait HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`;

const whole = (text: string): string => {
  const body = JSON.stringify({ text });
  return head(body.length) + body;
};

const answered = async (socket: Socket): Promise<string> => String((await once(socket, "data"))[0]);

test("connections: one that breaks before its answer has left is told of once", async () => {
  const socket = await open();
  socket.write(whole("wait"));
  await vi.waitFor(() => expect(begun).toBe(1));
  socket.resetAndDestroy();
  await vi.waitFor(() => expect(lost()).toEqual(["ECONNRESET"]));
  goOn();
  await pause(20);
  expect(lost()).toEqual(["ECONNRESET"]);
});

test("connections: one that breaks while nothing is asked is not told of", async () => {
  const socket = await open();
  socket.write(whole("now"));
  expect(await answered(socket)).toMatch(/^HTTP\/1\.1 200 /);
  socket.resetAndDestroy();
  await pause(50);
  expect(lost()).toEqual([]);
});

test("connections: a later request on the same one is told of too", async () => {
  const socket = await open();
  socket.write(whole("now"));
  await answered(socket);
  socket.write(whole("wait"));
  await vi.waitFor(() => expect(begun).toBe(2));
  socket.resetAndDestroy();
  await vi.waitFor(() => expect(lost()).toEqual(["ECONNRESET"]));
  goOn();
});

test("connections: a body that comes piece by piece is read whole, and so is the request behind it", async () => {
  const socket = await open();
  const body = JSON.stringify({ text: "naïve ".repeat(30) });
  const bytes = Buffer.from(body);
  socket.write(head(bytes.length));
  for (const at of [0, 13, 14]) {
    await pause(10);
    socket.write(bytes.subarray(at, at === 0 ? 13 : at === 13 ? 14 : bytes.length));
  }
  const first = await answered(socket);
  expect(first.slice(first.indexOf("\r\n\r\n") + 4)).toBe(body);
  socket.write(whole("again"));
  expect(await answered(socket)).toMatch(/\{"text":"again"\}$/);
  socket.destroy();
});
