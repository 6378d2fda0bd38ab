import { z } from "zod";
import { featuresIn } from "../../../understanding/reading/choice/features.ts";
import type { Lesson } from "../../../understanding/training/trainer.ts";
import { signsOf } from "./hearing.ts";
import { situations, sounds } from "./sounds.ts";

const after = z.enum(situations);

/** A file of labelled sentences: those of one group ask for the same, whatever of the named stands before them. */
export const exampleGroups = z.array(
  z.strictObject({
    after: z.union([after.transform((one) => [one]), z.array(after).min(1)]),
    act: z.enum(sounds),
    say: z.array(z.string().min(1)).min(1),
  }),
);

/** Products that the sentences name. */
const named = ["Homepage Display", "CTV Premium Streaming", "Standard Display - ROS", "Sports Pre-roll", "pre-roll"];

export const lessonsOf = (groups: z.infer<typeof exampleGroups>): readonly Lesson[] =>
  groups.flatMap(({ after: before, act, say }) =>
    say.flatMap((text) => {
      const signs = signsOf(text, named);
      return before.map((one) => ({ features: featuresIn(signs, one), label: sounds.indexOf(act) }));
    }),
  );
