import { type AllowList, allowListDefects, allowListOf } from "../neutral/address-guard.ts";

/** Throws on a broken entry: an agent must not start with less than its operator allowed. */
export const readAllowList = (text: string): AllowList => {
  const defect = allowListDefects(text)[0];
  if (defect !== undefined) throw new Error(`OUTBOUND_ALLOW: ${defect}`);
  return allowListOf(text);
};
