import { says } from "../reader/words.ts";
import type { Talk } from "../talk.ts";
import type { Applied, Term } from "./form.ts";

/** Earlier doubts end with the words that settle what they are about. */
export const stillOpen = ({ memory }: Talk, terms: readonly Term[]): readonly string[] => {
  const isSettled = (words: string): boolean => {
    const said = words.toLowerCase();
    const isPrice = /cpm|per thousand/.test(said);
    return terms.some((term) => {
      if (term.kind === "max_cpm" || term.kind === "target_cpm" || term.kind === "channel price") return isPrice;
      if (term.kind === "days" || term.kind === "shift") return /date|day|when|start/.test(said);
      if (term.kind === "channels")
        return [...term.add, ...term.drop, ...(term.set ?? [])].some((name) =>
          said.includes(name.split("_")[0] ?? name),
        );
      if (term.kind === "audience" || term.kind === "ages") return !/date|ctv|display|audio|video|native/.test(said);
      if (term.kind === "said")
        return term.words.split(/[ ,]+/).some((word) => word.length > 2 && said.includes(word) && word !== "was");
      return (
        term.kind === "budget" &&
        !isPrice &&
        (says(said, "budget money") || said.split("").some((char) => char >= "0" && char <= "9"))
      );
    });
  };
  return memory.doubts.filter((words) => !isSettled(words));
};

const givesUp = /\b(?:without|forget|drop|skip|ignore|never mind)\b/i;

/** "Ok, without Bavaria then": what could not be used is told no more. */
export const notGivenUp = (
  { memory }: Talk,
  said: string,
  notes: Applied["notes"],
): { readonly notes: Applied["notes"]; readonly left: Applied["notes"] } => {
  const isGone = ({ words }: { readonly words: string }): boolean =>
    givesUp.test(said) && said.includes(words) && memory.left.some((note) => note.words === words);
  return { notes: notes.filter((note) => !isGone(note)), left: memory.left.filter((note) => !isGone(note)) };
};
