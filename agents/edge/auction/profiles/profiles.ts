import { openAnswer, type ProviderAnswer, type RawAnswer } from "../provider/bid-answer.ts";
import type { OutgoingBidRequest } from "../provider/bid-request.ts";
import { aps } from "./aps.ts";
import { prebidServer } from "./prebid-server.ts";
import type { Profile, ProfileInput } from "./profile.ts";
import { standard } from "./standard.ts";

const all = { standard, "prebid-server": prebidServer, aps };

export type ProfileName = keyof typeof all;

/** The key is the name that a configuration gives. */
export const profiles: Readonly<Record<ProfileName, Profile>> = all;

/** One conversation with a provider: what goes out, and what an answer to it means. */
export interface Exchange {
  readonly request: OutgoingBidRequest;
  readonly parse: (raw: RawAnswer) => ProviderAnswer;
}

export const openExchange = (
  { profile, profile_config: settings }: { readonly profile: ProfileName; readonly profile_config: unknown },
  input: Omit<ProfileInput<unknown>, "settings">,
): Exchange => {
  const adapter = profiles[profile];
  const full = { ...input, settings };
  const parse: Exchange["parse"] = (raw) => {
    const opened = openAnswer(raw, adapter.title, input.facts.rules.rates);
    if (opened.ok) return adapter.parseAnswer(opened.body, full);
    return adapter.withFailure?.(opened.answer, raw, settings) ?? opened.answer;
  };
  return { request: adapter.makeRequest(full), parse };
};
