import { describe, expect, test } from "vitest";
import {
  type ConversationEvent,
  type ConversationInstance,
  conversationMachine,
  newConversation,
  type Offer,
} from "../../machines/conversation/machine.ts";
import { step } from "../../machines/step.ts";

const nowMs = Date.UTC(2027, 0, 15);
const offer = (id: string): Offer => ({ kind: "quote", id, digest: `sha256:${id}`, change: null });
const show = (...ids: readonly string[]): ConversationEvent => ({ type: "SHOW", offers: ids.map(offer) });
const take = (by: "yes" | "order" | "all"): ConversationEvent => ({ type: "TAKE", by, nowMs });

const after = (...events: readonly ConversationEvent[]): ConversationInstance | null =>
  events.reduce<ConversationInstance | null>(
    (at, event) => (at === null ? null : step(conversationMachine, at, event)),
    newConversation,
  );

describe("what a consent may be for", () => {
  test("nothing that was not shown", () => {
    for (const by of ["yes", "order", "all"] as const) expect(after(take(by))).toBeNull();
  });

  test("a yes for the one offer of the last reply, an order also after a question in between", () => {
    expect(after(show("qt-1"), take("yes"))?.context.taken).toMatchObject([{ id: "qt-1", by: "yes", atMs: nowMs }]);
    expect(after(show("qt-1"), { type: "PASS" }, take("yes"))).toBeNull();
    expect(after(show("qt-1"), { type: "PASS" }, take("order"))?.context.taken).toMatchObject([{ by: "order" }]);
  });

  test("of several offers for all of them or none", () => {
    expect(after(show("qt-1", "qt-2"), take("yes"))).toBeNull();
    expect(after(show("qt-1", "qt-2"), take("order"))).toBeNull();
    expect(after(show("qt-1", "qt-2"), take("all"))?.context.taken).toHaveLength(2);
  });

  test("only the offer that was shown last, and nothing once it is taken or another topic came up", () => {
    expect(after(show("qt-1"), show("qt-2"), take("yes"))?.context.taken).toMatchObject([{ id: "qt-2" }]);
    expect(after(show("qt-1"), take("yes"), take("yes"))).toBeNull();
    expect(after(show("qt-1"), { type: "VOID" }, take("order"))).toBeNull();
  });

  test("the terms that were agreed stay on record with their digest, the newest fifty of them", () => {
    const events = Array.from({ length: 60 }, (_, place) => [show(`qt-${place}`), take("yes")]).flat();
    const taken = after(...events)?.context.taken;
    expect(taken).toHaveLength(50);
    expect(taken?.at(-1)).toMatchObject({ id: "qt-59", digest: "sha256:qt-59" });
  });
});
