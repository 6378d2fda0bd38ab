import { describe, expect, onTestFinished, test } from "vitest";
import { createSeal } from "../../agents/buyer/clients/seal.ts";
import { covers } from "../requirements.ts";
import { startOneDoor } from "./one-door.ts";
import { sellerHere } from "./seller-here.ts";
import { type BuyerWorld, callAgent, type Job, openBuyer, sampleBrief, settledJob } from "./world.ts";

const identity = { seat_id: "s1", agency_id: "a1" };

const marketOf = async () => {
  const seller = await sellerHere();
  onTestFinished(() => seller.close());
  const rejected = new Set<string>();
  const door = await startOneDoor(/./, () => seller.url, rejected);
  onTestFinished(() => door.close());
  const endpoint = { url: door.url, key: null, headerType: "api_key" } as const;
  const world = await openBuyer({ sellers: [endpoint], identity }, { seal: createSeal(Buffer.alloc(32, 5)) });
  onTestFinished(() => world.close());
  const rejectAll = (): void => {
    for (const { headers } of door.seen) rejected.add(String(headers["x-api-key"]));
    rejected.delete("undefined");
  };
  const keyOf = async (): Promise<Readonly<Record<string, unknown>>> => {
    const { output } = await callAgent(world.buyer, "list_seller_keys", {});
    return (output["keys"] as readonly Readonly<Record<string, unknown>>[])[0] ?? {};
  };
  return { seller, url: door.url, world, rejectAll, keyOf };
};

const buy = async ({ buyer }: BuyerWorld, autoApprove = true): Promise<Job> => {
  const { output } = await callAgent(buyer, "create_booking", { brief: sampleBrief, auto_approve: autoApprove });
  return settledJob(buyer, String(output["job_id"]));
};

describe("a key that the seller rejects", () => {
  test("that the buyer acquired itself is renewed once, and the job goes on", async () => {
    covers("buyer.seller-keys.rotate-after-401");
    const { seller, url, world, rejectAll, keyOf } = await marketOf();
    expect((await callAgent(world.buyer, "acquire_seller_key", { seller_url: url })).code).toBeNull();
    expect(await buy(world)).toMatchObject({ status: "completed" });
    const before = await keyOf();
    rejectAll();
    expect(await buy(world)).toMatchObject({ status: "completed", errors: [] });
    const after = await keyOf();
    expect(after).toMatchObject({ needs_reauth: false });
    expect(after["key_id"]).not.toBe(before["key_id"]);
    expect(await seller.rows("api_key")).toHaveLength(2);
    expect(world.lines.filter((line) => line.includes("was renewed"))).toHaveLength(1);
    rejectAll();
    expect(await buy(world)).toMatchObject({ status: "failed" });
    expect(await seller.rows("api_key")).toHaveLength(2);
    expect(await keyOf()).toMatchObject({ needs_reauth: true });
    world.clock.move(700_000);
    expect(await buy(world)).toMatchObject({ status: "completed" });
  });

  test("that a person set is left alone", async () => {
    const { seller, url, world, keyOf } = await marketOf();
    await callAgent(world.buyer, "set_seller_key", { seller_url: url, api_key: "ask_live_wrong_0123456" });
    const job = await buy(world);
    expect(job.status).toBe("failed");
    expect(job.errors[0]).toContain("401");
    expect(await keyOf()).toMatchObject({ needs_reauth: true, masked_key: "********3456" });
    expect(await seller.rows("api_key")).toEqual([]);
  });
});
