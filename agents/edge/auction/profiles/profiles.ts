import type { ProviderConfig } from "../../config.ts";
import type { ProviderAnswer, RawAnswer } from "../provider/bid-answer.ts";
import type { AuctionFacts, OutgoingBidRequest } from "../provider/bid-request.ts";
import type { PlannedSlot } from "../provider/plan.ts";
import { aps } from "./aps.ts";
import { prebidServer } from "./prebid-server.ts";
import { standard } from "./standard.ts";

/** One conversation with a provider: what goes out, and what an answer to it means. */
export interface Exchange {
  readonly request: OutgoingBidRequest;
  readonly parse: (raw: RawAnswer) => ProviderAnswer;
}

export const openExchange = (
  provider: ProviderConfig,
  input: { readonly facts: AuctionFacts; readonly impressions: readonly PlannedSlot[]; readonly tmaxMs: number },
): Exchange => {
  switch (provider.profile) {
    case "standard": {
      const full = { ...input, settings: provider.profile_config };
      return { request: standard.makeRequest(full), parse: (raw) => standard.parseAnswer(raw, full) };
    }
    case "prebid-server": {
      const full = { ...input, settings: provider.profile_config };
      return { request: prebidServer.makeRequest(full), parse: (raw) => prebidServer.parseAnswer(raw, full) };
    }
    case "aps": {
      const full = { ...input, settings: provider.profile_config };
      return { request: aps.makeRequest(full), parse: (raw) => aps.parseAnswer(raw, full) };
    }
  }
};
