import { z } from "zod";

/** Characters of JSON that a free object may take, so that a record stays small however often it is written. */
const mostCharacters = 16_384;

/** Whether a value is small enough to be kept in a record. */
export const isSmall = (value: unknown): boolean => JSON.stringify(value).length <= mostCharacters;

/** An object of any keys and values that is kept as it came. */
export const freeObject = z
  .record(z.string().max(255), z.unknown())
  .refine(isSmall, `At most ${mostCharacters} characters as JSON.`);

/** Text that a person wrote, to be read by others. */
export const reasonText = z.string().max(2000);
