import { isOf } from "../../../talk/reader/lexicon.ts";
import type { Term } from "../brief/form.ts";
import type { Request } from "./request.ts";
import { asWritten, channelOf, channelsIn, type Place, type Text } from "./text.ts";
import { isIn, lists } from "./words.ts";

/** "Standard" of "Standard Display", "In-Feed" of "Native In-Feed": words with capitals beside a channel's. */
const isOfName = ({ scan, words }: Text, at: number): boolean => {
  const token = scan.tokens[at];
  if (token === undefined || scan.owners[at] !== undefined) return false;
  if (token.kind === "mark") return token.text === "-" && token.isGlued;
  const isCommon = isIn(words[at] ?? "", `${lists.verbs} ${lists.talk} ${lists.chatter} ${lists.polite}`);
  return /^\p{Lu}/u.test(token.text) && !isCommon && (!isOf(token, "function") || scan.tokens[at + 1]?.text === "-");
};

/** Names of products as they were written, which a brief keeps only the channel of. */
export const productNamesIn = (text: Text, place: Place): readonly Place[] =>
  channelsIn(text, place).flatMap((channel) => {
    let { from, to } = channel;
    while (from > place.from && isOfName(text, from - 1)) from -= 1;
    while (to < place.to && isOfName(text, to)) to += 1;
    const isLonger = to - from > channel.to - channel.from;
    return isLonger && channelOf(text.scan.owners[from - 1]) === null ? [{ from, to }] : [];
  });

const ofBrief = "new brief,brief change,new".split(",");

/** They are told beside the brief as what they are. */
export const withProductNames = (
  text: Text,
  reads: readonly Place[],
  requests: readonly Request[],
): readonly Request[] => {
  const names = reads.flatMap((read) => productNamesIn(text, read)).map(({ from, to }) => asWritten(text, from, to));
  const listed = [...new Set(names)].map((name) => `"${name}"`).join(", ");
  const words =
    `A brief keeps channels and no products (${listed}): which product a line has is seen ` + "once prices are in.";
  const at = requests.findIndex(({ command }) => ofBrief.includes(command));
  return names.length === 0
    ? requests
    : requests.map((one, place) => {
        const terms = (one.input["terms"] as readonly Term[] | undefined) ?? [];
        return place === at && terms.length > 0
          ? { ...one, input: { ...one.input, terms: [...terms, { kind: "said", words }] } }
          : one;
      });
};
