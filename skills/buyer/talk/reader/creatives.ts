import { type Read, real, request } from "./parts.ts";
import { isSure } from "./campaign.ts";
import type { Request, Situation } from "./request.ts";
import { plainOf, type Text } from "./text.ts";
import { says, saysPhrase } from "./words.ts";

const nouns = "creative creatives artwork artworks asset assets material materials file files";
/** They are a channel, too: only somebody's own are no lines. */
const ofChannels = "banner banners spot spots image images";
const own = "i we my our their";
const handled =
  "upload send sent deliver submit provide supply handle accept receive host store hand pass forward ready take put " +
  "attach attached";
const placed = "put attach attached upload uploaded hand insert";
const ofLines = "me us line lines deal deals offer offers brief approve book drop";

/** "How do I upload my banner file?", "do you handle creatives?": asked of no line, and answered by no table. */
export const ofCreatives = (text: Text, read: Read, { job }: Situation): Request | null => {
  const words = plainOf(text, read);
  // "Send the banner to the seller for its display deal", "can you get it to the seller?"
  const isNamedFirst = (): boolean => says(text.words.join(" "), `${nouns} banner banners`);
  const isPassed =
    says(words, "send get pass forward give hand deliver") &&
    saysPhrase(words, "to the seller,to the sellers,to the publisher,to them") &&
    isNamedFirst();
  // "They sent their banner. Can you put it into the display deal?"
  const isIt = says(words, placed) && says(words, "it them") && isNamedFirst();
  const isNamed = isIt || says(words, nouns) || (says(words, ofChannels) && (says(words, own) || says(words, placed)));
  const isPlain = real(read.terms).every(({ kind }) => kind === "channels" || kind === "place");
  const isOfLine = says(words, ofLines) && !(read.isQuestion && says(words, placed));
  // "Please attach it", "so the banner is not attached": asked or not, it is told that nothing is taken.
  const isAsked = read.isQuestion || says(words, `ready sent what which how who where ${placed}`);
  if (!isPassed && !(isNamed && says(words, handled) && !isOfLine && isPlain && isAsked)) return null;
  return job !== null || isSure(read.campaign)
    ? request(text, read, "creatives", { campaign: read.campaign })
    : request(text, read, "brief question", { asked: { about: "artwork", channels: [], isPlacing: false } });
};
