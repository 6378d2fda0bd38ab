import { valueOf } from "../../../talk/reader/lexicon.ts";
import { tokensOf } from "../../../talk/reader/tokens.ts";
import { unreadIn } from "../../../talk/reader/unread.ts";
import { briefNameIn } from "./campaign.ts";
import { asksPlan } from "./of-brief.ts";
import { firstOf, plainNegation, questionsIn, type Read, real } from "./parts.ts";
import { productNamesIn } from "./product-names.ts";
import type { Situation } from "./request.ts";
import { asWritten, type Place, plainOf, type Text } from "./text.ts";
import { isIn, lists } from "./words.ts";

const signatureLine =
  /^(?:(?:best|kind|warm|many|with) )*(?:regards|wishes|thanks|thank you|cheers|sincerely|yours|best)\b/;
const greetingLine = /^(?:(?:hello|hi|hey|good \w+) ,? ?)?(?:dear|hi|hello|hey|it's|this is|my name is|here is) \S+/;

/** A greeting, an introduction, a signature: lines that ask nothing. */
const isCourtesy = (text: Text, reads: readonly Read[], at: number): boolean => {
  const saidOf = (read: Read): string => text.words.slice(read.from, read.to).join(" ").trim();
  const isClosing = (read: Read): boolean => read.to - read.from < 6 && signatureLine.test(saidOf(read));
  const read = reads[at];
  if (read === undefined || real(read.terms).length > 0) return false;
  const isSigned = reads.slice(0, at + 1).some(isClosing);
  return isSigned || (at < 2 && read.to - read.from < 12 && greetingLine.test(saidOf(read)));
};

const longestClause = 12;

const clausesOf = (text: Text, { from, to }: Place): readonly Place[] => {
  const clauses: Place[] = [];
  let begin = from;
  for (let at = from; at <= to; at += 1) {
    const isEnd = at === to || (text.scan.owners[at] === undefined && isIn(text.words[at] ?? "", ", ; : ( )"));
    if (isEnd && at > begin) clauses.push({ from: begin, to: at });
    if (isEnd) begin = at + 1;
  }
  return clauses;
};

/** Of a clause that no term was read from all is named as it was said, and of others the runs that nobody used. */
const unreadOfClause = (text: Text, clause: Place, read: Read, used: ReadonlySet<number>): readonly string[] => {
  const sure = [...read.matches, ...questionsIn(text, read)].filter(({ score }) => score >= 3);
  const runs = unreadIn(text.scan, clause, used, () => true)
    .map(({ text: words }) => words)
    .filter(
      (words) =>
        !words
          .toLowerCase()
          .split(" ")
          .every((word) => isIn(word, plainNegation)),
    )
    // "With prices before anything is booked".
    .filter((words) => !isIn(words.toLowerCase(), "before after while during until since"))
    .filter((words) => !/^[a-z]+$/i.test(words) || valueOf(tokensOf(words)[0], "number") === undefined);
  const { to } = clause;
  const from = firstOf(text, clause);
  const places = Array.from({ length: to - from }, (_, step) => from + step);
  const isTold = (at: number): boolean =>
    read.used.has(at) || text.scan.owners[at] !== undefined || sure.some((match) => match.used.has(at));
  const isWhole = !places.some(isTold);
  return runs.length > 0 && isWhole && places.length <= longestClause ? [asWritten(text, from, to)] : runs;
};

/** What nobody used; words that only tell what a term is are none. */
export const unreadOf = (text: Text, reads: readonly Read[], situation: Situation): readonly string[] =>
  reads.flatMap((read, index) => {
    if (isCourtesy(text, reads, index) || asksPlan.test(plainOf(text, read))) return [];
    const named = [...read.matches, ...questionsIn(text, read)].filter(({ score }) => score >= 2);
    const used = new Set([...read.used, ...named.flatMap((match) => [...match.used])]);
    const name = briefNameIn(text, read, situation);
    const names = [...productNamesIn(text, read), ...(name === null ? [] : [name])];
    for (const { from, to } of names) for (let at = from; at < to; at += 1) used.add(at);
    for (let at = read.from; at < read.to; at += 1)
      if (isIn((text.words[at] ?? "").split(" ")[0] ?? "", `${lists.talk} ${lists.chatter}`)) used.add(at);
    return clausesOf(text, read).flatMap((clause) => unreadOfClause(text, clause, read, used));
  });
