const upperA = 65;
const upperZ = 90;
const toLower = 32;

export const isNameAt = (text: string, start: number, name: string): boolean => {
  for (let index = 0; index < name.length; index += 1) {
    const code = text.charCodeAt(start + index);
    const lower = code >= upperA && code <= upperZ ? code + toLower : code;
    if (lower !== name.charCodeAt(index)) return false;
  }
  return true;
};

/**
 * Finds lower-case names of a fixed set in a text, whatever their case there. Nothing is cut out of the text for it:
 * most tags and attributes of a page are of no interest, and making a string of each costs more than reading it.
 */
export const createNameTable = (names: Iterable<string>) => {
  const byLength: string[][] = [];
  for (const name of names) (byLength[name.length] ??= []).push(name);
  return (text: string, start: number, end: number): string | undefined => {
    const candidates = byLength[end - start];
    if (candidates === undefined) return undefined;
    for (const name of candidates) if (isNameAt(text, start, name)) return name;
    return undefined;
  };
};

export type NameTable = ReturnType<typeof createNameTable>;

export const lowerName = (name: string): string =>
  /[A-Z]/.test(name) ? name.replace(/[A-Z]+/g, (letters) => letters.toLowerCase()) : name;
