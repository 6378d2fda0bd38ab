import type { BuyerSettings } from "../../../agents/buyer/config.ts";
import { type OpenDoors, openDoors } from "../../doors/doors.ts";
import { type FakeSeller, startFakeSeller } from "../fake-seller.ts";
import { type BuyerWorld, callAgent, openBuyer } from "../world.ts";

export interface Talker {
  readonly world: BuyerWorld;
  /** All in one conversation unless another context is named. */
  close(): Promise<void>;
  say(text: string, more?: { readonly context?: string; readonly messageId?: string }): Promise<Heard>;
}

export interface Heard {
  readonly text: string;
  readonly data: Readonly<Record<string, unknown>>;
}

export const talkWith = async (
  seller: { readonly url: string; readonly key: string | null },
  settings: Partial<BuyerSettings> = {},
): Promise<Talker> => {
  const world = await openBuyer({ sellers: [{ ...seller, headerType: "api_key" }], ...settings });
  const doors: OpenDoors = await openDoors(world.buyer.runner, () => world.clock.nowMs());
  const { output } = await callAgent(world.buyer, "create_operator_key", { label: "desk" });
  const headers = { "content-type": "application/json", "x-api-key": String(output["api_key"]) };
  const say: Talker["say"] = async (text, { context = "talk-1", messageId = crypto.randomUUID() } = {}) => {
    const message = { messageId, role: "user", parts: [{ kind: "text", text }] };
    const params = { message, contextId: context };
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "message/send", params });
    const answer = await fetch(`${doors.url}/a2a/seller/jsonrpc`, { method: "POST", headers, body });
    const { result } = (await answer.json()) as { result: { parts: readonly Record<string, unknown>[] } };
    const part = (kind: string) => result.parts.find((one) => one["kind"] === kind)?.[kind];
    return { text: String(part("text")), data: part("data") as Heard["data"] };
  };
  const close = async (): Promise<void> => {
    await doors.close();
    await world.close();
  };
  return { world, say, close };
};

export interface FakeTalker extends Talker {
  readonly seller: FakeSeller;
}

export const openTalk = async (settings: Partial<BuyerSettings> = {}): Promise<FakeTalker> => {
  const seller = await startFakeSeller();
  const talker = await talkWith({ url: seller.url, key: null }, settings);
  const close = async (): Promise<void> => {
    await talker.close();
    await seller.close();
  };
  return { ...talker, seller, close };
};

export const jobsOf = async ({ world }: Talker): Promise<readonly { job_id: string; status: string }[]> =>
  (await callAgent(world.buyer, "list_bookings", {})).output["jobs"] as { job_id: string; status: string }[];

export const sayAll = async (talker: Talker, texts: readonly string[]): Promise<Heard> => {
  let last: Heard = { text: "", data: {} };
  for (const text of texts) last = await talker.say(text);
  return last;
};
