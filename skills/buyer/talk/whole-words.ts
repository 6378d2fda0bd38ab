/** Finds words as they stand, not as a part of others: "CTV" is not in "CTV-2" or "CTVs". */
export const wholeWords = (words: string, flags: string): RegExp =>
  new RegExp(`(?<![\\w-])${words.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}(?![\\w-])`, flags);
