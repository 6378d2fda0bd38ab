import type { ProviderConfig } from "../../config.ts";
import type { ProviderAnswer, RawAnswer } from "../provider/bid-answer.ts";
import type { AuctionFacts, OutgoingBidRequest } from "../provider/bid-request.ts";
import type { PlannedSlot } from "../provider/plan.ts";

type ProfileName = ProviderConfig["profile"];
type SettingsOf<Name extends ProfileName> = Extract<ProviderConfig, { profile: Name }>["profile_config"];

export interface ProfileInput<Name extends ProfileName> {
  readonly facts: AuctionFacts;
  readonly impressions: readonly PlannedSlot[];
  readonly settings: SettingsOf<Name>;
  readonly tmaxMs: number;
}

export interface Profile<Name extends ProfileName> {
  makeRequest(input: ProfileInput<Name>): OutgoingBidRequest;
  parseAnswer(raw: RawAnswer, input: ProfileInput<Name>): ProviderAnswer;
}
