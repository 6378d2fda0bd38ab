import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { z } from "zod";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { DoorRoute } from "../../protocol/door/door.ts";
import { defineContract, defineOperation } from "../../protocol/seam/operation.ts";
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

const pageBytes = 262_144;
const pageBody = Buffer.alloc(pageBytes, 0x61);
const page: DoorRoute = {
  method: "GET",
  path: "/page",
  handle: async () => {
    begun += 1;
    return { status: 200, headers: {}, body: pageBody };
  },
};

beforeEach(async () => {
  begun = 0;
  sample = await serveSample({ operations: [waiting], doors: [page] });
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
  await expect.poll(() => begun).toBe(1);
  socket.resetAndDestroy();
  await expect.poll(() => lost()).toEqual(["ECONNRESET"]);
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
  await expect.poll(() => begun).toBe(2);
  socket.resetAndDestroy();
  await expect.poll(() => lost()).toEqual(["ECONNRESET"]);
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

const getPage = "GET /page HTTP/1.1\r\nHost: x\r\n\r\n";
const mostInKernel = 64;

test("connections: a caller that sends ahead and does not read is made no more answers than the system takes", async () => {
  const socket = await open();
  socket.pause();
  socket.write(getPage.repeat(400));
  await expect.poll(() => begun).toBeGreaterThan(0);
  await pause(300);
  expect(begun).toBeLessThan(mostInKernel);
  expect((await fetch(`${sample.url}/health`)).status).toBe(200);
  let bytes = 0;
  socket.on("data", (piece: Buffer) => (bytes += piece.length)).resume();
  await expect.poll(() => bytes).toBeGreaterThan(400 * pageBytes);
  expect(begun).toBe(400);
  socket.write(getPage);
  await expect.poll(() => begun).toBe(401);
  socket.destroy();
});

test("connections: no more is read from a caller that sends ahead than a little", async () => {
  const socket = await open();
  socket.write(whole("wait"));
  await expect.poll(() => begun).toBe(1);
  for (let sent = 0; sent < 32; sent += 1) socket.write(getPage.repeat(20_000));
  await pause(500);
  expect(socket.writableLength).toBeGreaterThan(0);
  expect(begun).toBe(1);
  socket.destroy();
  goOn();
});

test("connections: a request sent ahead begins when the one before it is answered, and all are answered in order", async () => {
  const socket = await open();
  let got = "";
  socket.on("data", (piece) => (got += String(piece)));
  socket.write(whole("wait") + whole("second") + whole("third"));
  await expect.poll(() => begun).toBe(1);
  await pause(30);
  expect(begun).toBe(1);
  goOn();
  await expect.poll(() => got.match(/"text":"\w+"/g)).toEqual(['"text":"wait"', '"text":"second"', '"text":"third"']);
  socket.destroy();
});

test("connections: what breaks behind a request that is being answered is not told as its answer", async () => {
  const socket = await open();
  let got = "";
  socket.on("data", (piece) => (got += String(piece)));
  socket.write(`${whole("wait")}no HTTP at all\r\n\r\n`);
  await once(socket, "close");
  expect(got).toBe("");
  goOn();
});
