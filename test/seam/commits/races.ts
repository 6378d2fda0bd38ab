import { randomUUID } from "node:crypto";
import { connect } from "node:net";
import { expect } from "vitest";
import type { OpenDoors } from "../../doors/doors.ts";
import type { Reply, World } from "../../skills/world.ts";

const wish = { product_id: "prod-91ddc363", deal_type: "PD" };

const newQuote = async (world: World, caller: string): Promise<string> => {
  const reply = await world.send({ caller, operation: "request_quote", input: wish });
  expect(reply.code).toBeNull();
  return String(reply.body["quote_id"]);
};

const book = (world: World, caller: string, quoteId: string): Promise<Reply> =>
  world.send({ caller, operation: "book_deal", input: { quote_id: quoteId } });

const raceOnce = async (world: World): Promise<void> => {
  const quoteId = await newQuote(world, "agency");
  const replies = await Promise.all([book(world, "agency", quoteId), book(world, "operator", quoteId)]);
  const won = replies.filter((reply) => reply.code === null);
  const lost = replies.filter((reply) => reply.code !== null);
  expect([won.length, lost.length]).toEqual([1, 1]);
  expect([lost[0]?.status, lost[0]?.code]).toEqual([409, "quote_already_booked"]);
  expect(lost[0]?.body["deal_id"]).toBe(won[0]?.body["deal_id"]);
};

const inParallel = 100;

/** As many deals, as many 409, each with the id of the winning deal. */
export const raceForQuotes = async (world: World, races: number): Promise<void> => {
  for (let done = 0; done < races; done += inParallel) {
    const round = Math.min(inParallel, races - done);
    await Promise.all(Array.from({ length: round }, () => raceOnce(world)));
  }
  expect(await world.store.count("deal", null)).toBe(races);
  expect(await world.store.count("event", "type=deal.created")).toBe(races);
};

/** At the first byte of the answer, or once the request is written. */
const bookAndCut = (
  doors: OpenDoors,
  request: { readonly body: string; readonly key: string; readonly secret: string },
  cut: "at the answer" | "at once",
): Promise<void> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(doors.url);
    const socket = connect(Number(port), hostname);
    const head = [
      "POST /api/v1/deals HTTP/1.1",
      `Host: ${hostname}`,
      "Content-Type: application/json",
      `Content-Length: ${Buffer.byteLength(request.body)}`,
      `X-Api-Key: ${request.secret}`,
      `Idempotency-Key: ${request.key}`,
    ];
    socket.once("error", reject);
    socket.once("close", () => resolve());
    socket.once("data", () => socket.destroy());
    socket.write(`${head.join("\r\n")}\r\n\r\n${request.body}`, () => {
      if (cut === "at once") socket.destroy();
    });
  });

/** As a client does while its first request is still being answered. */
const retried = async (doors: OpenDoors, quoteId: string, key: string, secret: string): Promise<Reply> => {
  const request = { caller: "", operation: "book_deal", input: { quote_id: quoteId }, idempotencyKey: key };
  for (;;) {
    const reply = await doors.send("rest", request, secret);
    if (reply.code !== "idempotency_in_flight") return reply;
  }
};

/** The retry gives the same deal, one per quote. */
export const loseAnswers = async (world: World, doors: OpenDoors, times: number): Promise<void> => {
  const secret = world.secretOf("agency") ?? "";
  for (let index = 0; index < times; index += 1) {
    const quoteId = await newQuote(world, "agency");
    const key = randomUUID();
    const cut = index % 2 === 0 ? "at the answer" : "at once";
    await bookAndCut(doors, { body: JSON.stringify({ quote_id: quoteId }), key, secret }, cut);
    const quote = await world.send({ caller: "agency", operation: "get_quote", input: { quote_id: quoteId } });
    const bookedId = quote.body["deal_id"];
    const reply = await retried(doors, quoteId, key, secret);
    expect(reply.code).toBeNull();
    if (cut === "at the answer") expect([bookedId === null, reply.replayed]).toEqual([false, true]);
    if (bookedId !== null) expect(reply.body["deal_id"]).toBe(bookedId);
  }
  expect(await world.store.count("deal", null)).toBe(times);
  expect(await world.store.count("event", "type=deal.created")).toBe(times);
};
