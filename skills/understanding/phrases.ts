import type { Intent } from "../../protocol/seam/operation.ts";
import { spokenIntents } from "./contract.ts";
import type { Act } from "./reading/choice/acts.ts";
import { createWordReader, type WordReader } from "./reading/choice/word-reader.ts";

/** The acts that call an operation; the phrases of its contract are theirs. */
const actsByOperation: Readonly<Record<string, Act>> = {
  discover_inventory: "list",
  get_product: "describe",
  check_avails: "availability",
  get_pricing: "price",
  request_quote: "quote",
  list_packages: "packages",
  get_rate_card: "rate card",
  get_media_kit: "media kit",
  list_deals: "my deals",
  list_quotes: "my quotes",
  list_proposals: "my proposals",
  list_negotiations: "my negotiations",
  cancel_deal: "cancel",
  withdraw_proposal: "withdraw",
  get_deal: "read deal",
};

export type ActReader = WordReader<Act>;

interface Asked {
  readonly name: string;
  readonly intent?: Intent;
}

const phrasesByAct = (contracts: readonly Asked[]): ReadonlyMap<Act, readonly string[]> => {
  const own = contracts.flatMap(({ name, intent }) => {
    const act = actsByOperation[name];
    return act === undefined || intent === undefined ? [] : [[act, intent.phrases] as const];
  });
  return new Map([...own, ...spokenIntents.map(({ act, phrases }) => [act, phrases] as const)]);
};

/** Trained at the first message: a start need not wait for it. */
export const createActReader = (contracts: readonly Asked[]): ActReader => {
  let trained: ActReader | null = null;
  const reader = (): ActReader => {
    trained ??= createWordReader(phrasesByAct(contracts));
    return trained;
  };
  return { read: (spoken) => reader().read(spoken), knows: (word) => reader().knows(word) };
};
