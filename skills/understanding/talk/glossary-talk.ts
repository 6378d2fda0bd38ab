import { assurances } from "./open-talk.ts";
import type { Spoken, Talk } from "./speech.ts";

const words: readonly (readonly [RegExp, string])[] = [
  [
    /\bcpms?\b|\bone (?:ad|view|impression)\b|\bper thousand\b/i,
    "CPM is the price of 1,000 impressions, whatever the month: at $7.20 CPM, 100,000 impressions cost $720.00. ",
  ],
  [/\bimpressions?\b|\bimps?\b/i, "An impression is one showing of an ad to one viewer. "],
  [/\bros\b|\brun[- ]of[- ]site\b/i, "ROS, run of site, is an ad in any section of a site. "],
  [/\bctv\b/i, "CTV is television over the internet, on connected sets. "],
  [/\bd?ooh\b/i, "DOOH is advertising on digital screens out of home, like a billboard. "],
  [/\bpre-?rolls?\b/i, "A pre-roll is a video ad before the video that somebody wants to see. "],
  [/\bnative\b/i, "A native ad has the form of the feed or article around it. "],
  [/\bdsps?\b/i, "A DSP is the buying system in which a booked deal runs, by its deal ID. "],
  [/\bdeal ids?\b/i, "A deal ID names a booked deal in your buying system (DSP). "],
  [/\bflights?\b/i, "The flight is the first to the last day on which the ads run. "],
  [/\bpg\b|\bguaranteed\b/i, assurances["PG"] ?? ""],
  [/\bpd\b|\bpreferred\b/i, assurances["PD"] ?? ""],
  [/\bpa\b|\bprivate auction\b|\bpmp\b/i, assurances["PA"] ?? ""],
];

/** The words of the trade that the message names; without one the deal types. */
export const explained = ({ text }: Talk): Spoken => {
  const named = words.filter(([pattern]) => pattern.test(text)).map(([, meaning]) => meaning);
  const all = named.length === 0 || /\bdeal types?\b/i.test(text) ? Object.values(assurances) : named;
  return { skill: "discovery", outcome: "answer", result: null, text: all.join("").trim() };
};
