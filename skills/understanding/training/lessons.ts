import { z } from "zod";
import type { ProductFinder } from "../reading/product-finder.ts";
import { featuresOf } from "../reading/choice/features.ts";
import { type After, type Sound, situations, sounds } from "../reading/choice/sounds.ts";
import { hear } from "../reading/slots.ts";
import type { Lesson } from "./trainer.ts";

/** A file of labelled sentences: those of one group share what stood before them and what they ask for. */
export const exampleGroups = z.array(
  z.strictObject({ after: z.enum(situations), act: z.enum(sounds), say: z.array(z.string().min(1)).min(1) }),
);

type ExampleGroup = z.infer<typeof exampleGroups>[number];

/** In phrases `@` is a product and `#` a figure. */
const inWords = (phrase: string, names: readonly string[]): string => {
  let at = 0;
  const next = (): string => names[at++ % names.length] ?? "";
  return phrase.replace(/@/g, next).replace(/#/g, "2M");
};

export const phraseGroups = (
  phrases: ReadonlyMap<Sound, readonly string[]>,
  names: readonly string[],
): readonly ExampleGroup[] =>
  [...phrases].map(([act, said]) => ({ after: "start", act, say: said.map((phrase) => inWords(phrase, names)) }));

const lessonOf = (text: string, after: After, act: Sound, finder: ProductFinder, nowMs: number): Lesson => ({
  features: featuresOf(hear(text, finder, nowMs), after),
  label: sounds.indexOf(act),
});

export const lessonsOf = (groups: readonly ExampleGroup[], finder: ProductFinder, nowMs: number): readonly Lesson[] =>
  groups.flatMap(({ after, act, say }) => say.map((text) => lessonOf(text, after, act, finder, nowMs)));
