import { describe, expect, test } from "vitest";
import { guesserOf, packed } from "../../skills/understanding/reading/choice/act-model.ts";
import { type Sound, sounds } from "../../skills/understanding/reading/choice/sounds.ts";
import { createProductFinder } from "../../skills/understanding/reading/product-finder.ts";
import { hear } from "../../skills/understanding/reading/slots.ts";
import { lessonsOf } from "../../skills/understanding/training/lessons.ts";
import { trained } from "../../skills/understanding/training/trainer.ts";
import { canaryProducts } from "../secrecy/canaries.ts";
import { startMs } from "../skills/world.ts";

const finder = createProductFinder(canaryProducts);

const groups = [
  { after: "start" as const, act: "price" as const, say: ["what does CTV cost", "cost of native?", "how much is CTV"] },
  { after: "quote" as const, act: "open terms" as const, say: ["how much is that", "what does that make"] },
  { after: "start" as const, act: "list" as const, say: ["what do you sell", "show me your products"] },
];

const learn = () => packed(trained(lessonsOf(groups, finder, startMs), sounds.length), sounds);

const heard = (text: string) => hear(text, finder, startMs);

describe("the classifier of what is asked", () => {
  test("reads what it has learnt, by its words and by what stands before", () => {
    const guess = guesserOf<Sound>(learn());
    for (const { after, act, say } of groups)
      for (const text of say) expect(guess(heard(text), after)[0]?.name, text).toBe(act);
    expect(guess(heard("what would native cost"), "start")[0]?.name).toBe("price");
  });

  test("shares are of all readings, the likeliest first", () => {
    const guesses = guesserOf<Sound>(learn())(heard("how much is CTV"), "start");
    expect(guesses).toHaveLength(sounds.length);
    expect(guesses.reduce((sum, { share }) => sum + share, 0)).toBeCloseTo(1);
    expect(guesses.map(({ share }) => share)).toStrictEqual(
      guesses.map(({ share }) => share).toSorted((one, other) => other - one),
    );
  });

  test("the same lessons give the same weights", () => {
    expect(learn()).toStrictEqual(learn());
  });
});
