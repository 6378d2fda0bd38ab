import { blanked, type Span, spansOf } from "../../../../understanding/reading/spans.ts";
import type { Pattern } from "./vocabulary.ts";

const ours = "(?:my|our|the|this|us)";
const company =
  "(?:(?:web|online )?(?:shop|store|site|page)|brand|business|company|name|product|service|site|" +
  "website|restaurant|cafe|band|place)";

/** What people who know no objective say instead; a guess, which the brief shows as one. */
export const objectiveGuesses: readonly Pattern[] = [
  [
    "brand_awareness",
    new RegExp(
      `\\b(?:(?:people|everyone|everybody|they|more people|customers)\\s+(?:to\\s+|should\\s+|can\\s+)?` +
        `(?:know|knows|hear|discover|recogni[sz]e|remember|notice)(?:\\s+(?:about|of|` +
        `that))?(?:\\s+${ours})?(?:\\s+${company})?|` +
        `(?:get|become|be|being|more|better)\\s+(?:(?:more|better)\\s+)?(?:known|famous|visible|recogni[sz]ed)|` +
        `(?:get|put)\\s+${ours}\\s+name\\s+out(?:\\s+there)?|(?:more\\s+)?visibility|` +
        `make\\s+${ours}\\s+${company}\\s+known)\\b`,
      "gi",
    ),
  ],
  [
    "sales",
    new RegExp(
      `\\b(?:sell(?:ing)?\\s+(?:more|lots|a lot|${ours})(?:\\s+(?:of\\s+)?[\\w-]+)?|` +
        "(?:more|new|get|win)\\s+(?:more\\s+|new\\s+)?(?:customers|clients|buyers|orders|purchases)|" +
        `(?:people|they|customers)\\s+(?:to\\s+|should\\s+)?(?:buy|order)(?:\\s+(?:more|${ours}))?(?:\\s+[\\w-]+)?|` +
        "increase\\s+(?:my|our|the)?\\s*(?:sales|revenue|turnover))\\b",
      "gi",
    ),
  ],
  [
    "traffic",
    new RegExp(
      "\\b(?:(?:more\\s+)?(?:visitors|visits|footfall)|" +
        "(?:people|they|customers|everyone|visitors)\\s+(?:to\\s+|should\\s+)?(?:come|go|visit|click)" +
        `(?:\\s+(?:to|in|into|on))?(?:\\s+${ours})?(?:\\s+${company})?|` +
        `(?:(?:get(?:ting)?|bring(?:ing)?|driv(?:e|ing)|send(?:ing)?)\\s+)?(?:more\\s+)?(?:people|visitors|` +
        `clicks|customers)\\s+` +
        `(?:to|on|onto|into|in)\\s+${ours}\\s+${company}s?)\\b`,
      "gi",
    ),
  ],
  ["leads", /\b(?:sign[- ]?ups?|registrations?|enquir(?:y|ies)|newsletter subscribers?)\b/gi],
  ["app_installs", /\b(?:downloads?|install(?:s|ing)? (?:my|our|the) app)\b/gi],
];

export const peopleWords =
  "fans?|lovers?|people|persons?|famil(?:y|ies)|parents|moms?|mums?|dads?|women|men|adults|kids|" +
  "children|teens?|teenagers|" +
  "millennials|seniors|students|professionals|enthusiasts|foodies|families|households|everyone|" +
  "everybody|anyone|all ages|" +
  "couples|gen[- ]?[xyz]|audience|crowd|commuters|gamers|runners|hikers|shoppers|travell?ers|drivers|" +
  "owners|homeowners|viewers|" +
  "\\w*interessierte?|riders|cyclists|skiers|cooks|readers|listeners|players|athletes|tourists|locals|voters|" +
  "managers|buyers|users";
const endsInPeople = new RegExp(`\\b(?:${peopleWords})$`, "i");
const anyPeople = new RegExp(`\\b(?:${peopleWords})\\b`, "i");

/** Of words that nothing took: those that name people. */
export const isAudience = (words: string): boolean =>
  anyPeople.test(words) && !/\b(?:my|our|shop|store|budget|usd|dollars?)\b/i.test(words) && words.length <= 120;

/** "Skip news sites", "not on the week of christmas": what no part of a brief can hold. */
const leavingOut =
  "skip(?:ping)?|exclud(?:e|ing)|leav(?:e|ing) out|avoid(?:ing)?|block(?:ing)?|ban(?:ning)?|" +
  "blacklist|blocklist|without|" +
  "no|not(?: (?:on|in|during|to|for|at|with|near|next to))?|never(?: on)?|except(?: for)?|" +
  "excluding|but no|don't (?:show|run|want)(?: (?:it|them|ads))?(?: (?:on|in|to|during|near))?";
const unsold =
  "sites?|websites?|apps?|pages?|content|news|gambling|gaming sites|betting|adult|porn|politic\\w*|" +
  "religio\\w*|violen\\w*|alcohol|" +
  "child(?:ren)?s?|kids|minors|teens?|publishers?|sellers?|competitors?|channels? like|christmas|" +
  "easter|holidays?|weekends?|" +
  "week of|sundays?|mondays?|tuesdays?|wednesdays?|thursdays?|fridays?|saturdays?|nights?|" +
  "mornings?|evenings?|facebook|youtube|" +
  "google|instagram|tiktok|mfa|ugc|user generated";
const exclusion = new RegExp(
  `(?:\\b(?:and|but|so|please|pls|can you|could you|` +
    `also)\\s+)*\\b(?:${leavingOut})\\s+(?:(?:[\\w'-]+)\\s+){0,4}?(?:${unsold})\\b[^.,;!?\\n]*`,
  "gi",
);

/** "Betting sites should be excluded", "only on sports sites", "no men". */
const chosen = new RegExp(
  `(?:[\\w-]+\\s+(?:(?:and|or)\\s+)?){0,3}?\\b(?:${unsold})(?:\\s+[a-z]+){0,3}?\\s+(?:(?:should|must|shall|` +
    "needs? to|has to|have " +
    "to|can|to)\\s+)?(?:be|is|are|were|stays?)\\s+(?:excluded|avoided|blocked|left out|skipped|removed|banned|" +
    "out|off limits|taboo)\\b|" +
    "\\bonly\\s+(?:on\\s+|in\\s+)?(?:[\\w-]+\\s+){0,2}?(?:(?:web)?sites?|pages?|apps?|publishers?|sellers?|" +
    "[\\w-]+\\.(?:com|de|net|" +
    "org|fr|es|pt|at|ch|co\\.uk))\\b|" +
    "\\b(?:no|without|exclud(?:e|ing))\\s+(?:men|women|boys|girls|seniors|pensioners|students)\\b",
  "gi",
);

const clock = "\\d{1,2}(?:[:.]\\d{2})?\\s?(?:am|pm|h|uhr|o'clock)?";
/** Hours and days of the week. */
const times = new RegExp(
  "(?:\\b(?:and|but|only|just|mainly|mostly)\\s+)*(?:" +
    "\\b(?:only|just|not)\\s+(?:weekends|weekdays|evenings|mornings|nights|sundays|saturdays|mondays|fridays)\\b|" +
    `\\b(?:between|from)?\\s*${clock}\\s?(?:-|–|to|and|until|till|bis)\\s?\\d{1,2}(?:[:.]\\d{2})?\\s?(?:am|pm|` +
    "h\\b|uhr|o'clock)|" +
    `\\b(?:after|before|until|from)\\s+\\d{1,2}(?:[:.]\\d{2})?\\s?(?:am|pm|uhr|o'clock)\\b|` +
    "\\b(?:in|during|on|at)\\s+(?:the\\s+)?(?:mornings?|afternoons?|evenings?|nights?|night time|prime ?time|" +
    "lunch ?time|" +
    "weekends?|weekdays|sundays|mondays|tuesdays|wednesdays|thursdays|fridays|saturdays)\\b|" +
    "\\b(?:evenings?|mornings?|weekdays|weekends|prime ?time)(?=\\s+only\\b))(?:\\s+only\\b)?",
  "gi",
);

/** "Couples without kids" are an audience. */
export const exclusionsIn = (text: string): readonly Span[] => {
  const left = spansOf(text, exclusion).filter(
    ({ start, end }) =>
      !(/^\W*(?:without|no)\b/i.test(text.slice(start, end)) && endsInPeople.test(text.slice(0, start).trimEnd())),
  );
  const picked = spansOf(blanked(text, left), chosen);
  const all = [...left, ...picked];
  return [...all, ...spansOf(blanked(text, all), times)].toSorted((one, other) => one.start - other.start);
};
