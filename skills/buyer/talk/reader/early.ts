import { pickIn } from "./lines.ts";
import { leadingOrder } from "./of-campaign.ts";
import { type Command, isPolite, questionsIn, type Read, real, request, topOf, wishIn } from "./parts.ts";
import type { Request } from "./request.ts";
import { channelsIn, plainOf, type Text } from "./text.ts";
import { says } from "./words.ts";

/** What is asked or ordered of a campaign before there is one. */
export type Early = "booked" | "left" | "delivery" | "dearer" | "cost" | "lines";

const earlyOf: Readonly<Partial<Record<Command, Early>>> = {
  booked: "booked",
  waiting: "booked",
  left: "left",
  delivery: "delivery",
  pace: "delivery",
  dearer: "dearer",
  cost: "cost",
  chosen: "lines",
  compare: "lines",
  extremes: "lines",
  average: "lines",
  expiry: "lines",
  threshold: "lines",
};

const ofBoth: ReadonlySet<string> = new Set(["channels", "budget", "max_cpm", "channel price"]);

/** What is asked or ordered of lines and of money before anything is started. */
export const ofNothingStarted = (text: Text, read: Read): Request | null => {
  const words = plainOf(text, read);
  const terms = real(read.terms);
  const channels = channelsIn(text, read).flatMap(({ inventoryType }) => inventoryType ?? []);
  const as = (early: Early): Request => request(text, read, "early", { early, channels });
  if (terms.some(({ kind }) => !ofBoth.has(kind))) return null;
  const isOfLines = says(words, "line lines");
  const led = read.isQuestion && !isPolite(text, read) ? null : leadingOrder(text, read);
  const { lines } = pickIn(text, read);
  const isNarrow = lines.some(({ by }) => ["place", "extreme", "limit", "rest"].includes(by));
  if (led === "approve" || led === "drop") {
    return isNarrow || isOfLines ? as("lines") : null;
  }
  if (terms.some(({ kind }) => kind !== "channels")) return null;
  const best = topOf(read.matches, (name) => earlyOf[name] !== undefined);
  const kind = best === undefined ? undefined : earlyOf[best.name];
  const [other] = questionsIn(text, read);
  const isOther = other !== undefined && (kind === "cost" || best === undefined || best.score <= other.score);
  const isSure =
    best !== undefined && ((read.isQuestion && terms.length === 0) || wishIn(text, read) === best.name) && !isOther;
  return kind !== undefined && isSure ? as(kind) : null;
};
