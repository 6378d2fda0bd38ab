/**
 * Keeps the results of the texts that were read last, `most` of them: a visitor sends the same consent string with
 * every request, and reading one costs more than the rest of an auction's input. `read` must depend on the text alone.
 */
export const remember = <T>(most: number, read: (text: string) => T): ((text: string) => T) => {
  const known = new Map<string, T>();
  return (text) => {
    const found = known.get(text);
    if (found !== undefined) return found;
    const result = read(text);
    if (known.size >= most) known.delete(known.keys().next().value ?? text);
    known.set(text, result);
    return result;
  };
};
