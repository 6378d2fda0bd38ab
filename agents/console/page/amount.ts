/** An amount as people type it, "1,250.50" or "36,5"; null: none. */
export const amountIn = (text: string): number | null => {
  const typed = text.trim();
  if (/^\d{1,3}(,\d{3})+(\.\d+)?$/.test(typed)) return Number(typed.replaceAll(",", ""));
  return /^\d+([.,]\d{1,6})?$/.test(typed) ? Number(typed.replace(",", ".")) : null;
};

/** A whole number as people type it, "1,250,000"; null: none. */
export const wholeCount = (text: string): number | null =>
  /^\d{1,3}(,?\d{3})*$|^\d+$/.test(text.trim()) ? Number(text.replaceAll(",", "")) : null;

/** What a field of an amount says is wrong with it; an empty one may be meant. */
export const unreadable = (text: string): string | null =>
  text.trim() !== "" && amountIn(text) === null ? "A number, for example 12.50." : null;
