import { z } from "zod";

const isHttpUrl = (text: string): boolean => /^https?:/i.test(text) && URL.canParse(text);

const shown = "[Hh][Tt][Tt][Pp][Ss]?:.+";

export const httpUrl = z
  .string()
  .trim()
  .max(2048)
  .refine(isHttpUrl, "An http or https URL.")
  .meta({ pattern: `^\\s*${shown}` });

/** Empty: none. */
export const maybeHttpUrl = z
  .string()
  .max(2048)
  .refine((text) => text === "" || isHttpUrl(text), "An http or https URL.")
  .meta({ pattern: `^(${shown})?$` });
