import type { Spoken, Talk } from "./speech.ts";

const notConverted = (own: unknown, other: string): string =>
  `Our prices are in ${String(own)}; amounts in ${other} are not converted.`;

/** A budget in another currency; null where it is in the seller's own. */
export const foreignBudget = ({ heard: { currency, slots } }: Talk, own: unknown): string | null =>
  currency === null || currency === own || slots["budget"] === undefined
    ? null
    : `${notConverted(own, currency)} Say your budget in ${String(own)}.`;

/** What is shown has its own currency, whichever was asked for. */
export const inOwnCurrency =
  (handler: (talk: Talk) => Promise<readonly Spoken[]>) =>
  async (talk: Talk): Promise<readonly Spoken[]> => {
    const told = await handler(talk);
    const { currency } = talk.heard;
    return told.map((one, place) => {
      const own = /\(([A-Z]{3})\)/.exec(one.text)?.[1];
      if (place > 0 || currency === null || own === undefined || own === currency) return one;
      return { ...one, text: `${notConverted(own, currency)} ${one.text}` };
    });
  };
