import { checkDepth, defaultBodyLimits } from "../../protocol/neutral/json-input.ts";

/** JSON typed by a person, within the bounds of a request body; `wrong` is the end of a sentence. */
export const jsonOfText = (text: string): { readonly value: unknown } | { readonly wrong: string } => {
  const { bytes, depth } = defaultBodyLimits;
  if (Buffer.byteLength(text) > bytes) return { wrong: `is larger than ${bytes} bytes` };
  try {
    checkDepth(text, depth);
  } catch {
    return { wrong: `is nested deeper than ${depth} levels` };
  }
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return { wrong: "is not valid JSON" };
  }
};
