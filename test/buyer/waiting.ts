import { onTestFinished } from "vitest";
import { type Bends, type FakeSeller, startFakeSeller } from "./fake-seller.ts";
import { keyFor, sellerHere, type SellerHere } from "./seller-here.ts";
import { type BuyerWorld, callAgent, type Job, openBuyer, sampleBrief, settledJob } from "./world.ts";

export const smallBrief = { ...sampleBrief, channels: ["display", "ctv"], budget: 1000, flights: null };

interface Held {
  readonly world: BuyerWorld;
  readonly seller: FakeSeller;
  readonly job: Job;
}

/** A job over a seller of the tests, as it stands when it is worked through. */
export const waiting = async (bends: Bends = {}, given: object = smallBrief): Promise<Held> => {
  const seller = await startFakeSeller(bends);
  onTestFinished(() => seller.close());
  const world = await openBuyer({ sellers: [{ url: seller.url, key: null, headerType: "api_key" }] });
  onTestFinished(() => world.close());
  const { output } = await callAgent(world.buyer, "create_booking", { brief: given });
  return { world, seller, job: await settledJob(world.buyer, String(output["job_id"])) };
};

/** A buyer that has a key of a real seller, of whom `identity` says. */
export const buyerAtSeller = async (
  identity: Parameters<typeof keyFor>[1],
): Promise<{ readonly world: BuyerWorld; readonly seller: SellerHere }> => {
  const seller = await sellerHere();
  onTestFinished(() => seller.close());
  const key = await keyFor(seller, identity);
  const world = await openBuyer({ sellers: [{ url: seller.url, key, headerType: "api_key" }] });
  onTestFinished(() => world.close());
  return { world, seller };
};
