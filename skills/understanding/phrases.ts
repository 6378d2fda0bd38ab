import type { Intent } from "../../protocol/seam/operation.ts";
import { spokenIntents } from "./contract.ts";
import { type Guesses, guesserOf } from "./reading/choice/act-model.ts";
import { stemsIn } from "./reading/choice/features.ts";
import type { Act, After, Sound } from "./reading/choice/sounds.ts";
import { weights } from "./reading/choice/weights.generated.ts";
import { once } from "./reading/choice/once.ts";
import type { Heard } from "./reading/slots.ts";

/** The acts that call an operation; the phrases of its contract are theirs. */
const actsByOperation: Readonly<Record<string, Act & Sound>> = {
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

interface Asked {
  readonly name: string;
  readonly intent?: Intent;
}

export const phrasesByAct = (contracts: readonly Asked[]): ReadonlyMap<Sound, readonly string[]> => {
  const own = contracts.flatMap(({ name, intent }) => {
    const act = actsByOperation[name];
    return act === undefined || intent === undefined ? [] : [[act, intent.phrases] as const];
  });
  return new Map([...own, ...spokenIntents.map(({ act, phrases }) => [act, phrases] as const)]);
};

export interface ActReader {
  readonly guess: Guesses<Sound>;
  /** Whether any phrase has the word. */
  knows(word: string): boolean;
}

/** A part of a message is guessed to part it, and again to answer it. */
const remembering = (guess: Guesses<Sound>): Guesses<Sound> => {
  const known = new WeakMap<Heard, Map<After, ReturnType<Guesses<Sound>>>>();
  return (heard, after) => {
    const own = known.get(heard) ?? new Map<After, ReturnType<Guesses<Sound>>>();
    const guesses = own.get(after) ?? guess(heard, after);
    known.set(heard, own.set(after, guesses));
    return guesses;
  };
};

export const createActReader = (contracts: readonly Asked[]): ActReader => {
  const guesser = once(() => guesserOf<Sound>(weights));
  const known = once(() => new Set([...phrasesByAct(contracts).values()].flat().flatMap(stemsIn)));
  return {
    guess: remembering((heard, after) => guesser()(heard, after)),
    knows: (word) => stemsIn(word).every((stem) => known().has(stem)),
  };
};
