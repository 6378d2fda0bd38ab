import { z } from "zod";

/** Keeps a record small however often it is written. */
const mostCharacters = 16_384;

export const isSmall = (value: unknown): boolean => JSON.stringify(value).length <= mostCharacters;

export const freeObject = z
  .record(z.string().max(255), z.unknown())
  .refine(isSmall, `At most ${mostCharacters} characters as JSON.`);

export const reasonText = z.string().max(2000);

export const idText = z.string().max(255).nullish();
