import { dayMs } from "../../../../machines/inventory/dates.ts";
import { isMembers } from "../../../../protocol/neutral/json-input.ts";
import type { Slots } from "../memory.ts";
import { says } from "../requests.ts";
import { inTurn, read, type Spoken, type Talk, tell } from "../spoken.ts";
import { count, money, percent, saleIn, totalOf } from "../wording.ts";
import { isStanding, ownDeals, shown, status } from "./deals.ts";
import { spend } from "./records.ts";

const clicksText = (clicks: unknown): string =>
  typeof clicks === "number" ? `${count(clicks)} clicks` : "clicks are not counted";

const spentText = ({ request }: Talk, { delivered_spend: spend, currency }: Slots, deal: Slots): string => {
  if (typeof spend !== "number") return "what was spent is not reported";
  const cost = says(request, "left remaining unspent remains") ? totalOf(saleIn(deal)) : null;
  return `${money(spend, currency)}${cost === null ? "" : ` of ${money(cost, currency)}`} spent`;
};

const states: Readonly<Record<string, string>> = { proposed: ", not active yet", completed: ", completed" };

/** "Will I get clicks from you too?" */
const countedText = ({ request }: Talk): string =>
  says(request, "will would can could")
    ? " Impressions and what was spent are counted here, and clicks where the ad server reports them."
    : "";

/** Less than this share of the volume is no difference. */
const onPace = 0.02;

/** "Are we on pace?" */
const paceText = ({ context, request }: Talk, { terms }: Slots, { delivered_share: share }: Slots): string => {
  const { flight_start: start, flight_end: end } = (terms ?? {}) as Slots;
  const [from, until] = [Date.parse(String(start)), Date.parse(String(end)) + dayMs];
  const passed = Math.min(1, (context.nowMs - from) / (until - from));
  if (typeof share !== "number" || Number.isNaN(passed)) return "";
  const isAsked = says(request, "pace pacing behind ahead plan schedule track due should");
  if (passed <= 0)
    return `; the flight starts on ${String(start)}${isAsked ? ", so nothing is due yet and it is not behind" : ""}`;
  const apart = share - passed;
  const pace = Math.abs(apart) < onPace ? "on" : apart < 0 ? "behind" : "ahead of";
  const told = `, ${percent(share)} of the volume after ${percent(passed)} of the flight`;
  return isAsked ? `${told}: ${pace} an even pace` : told;
};

/** What was delivered of a deal so far: "0 of 833,000 impressions", where nothing was reported. */
const deliveryOf = async (talk: Talk, deal: Slots): Promise<string> => {
  const id = String(deal["deal_id"]);
  const output = await read(talk, "get_delivery", { deal_id: id });
  if (output === null) return "";
  const { delivered_impressions: impressions, booked_impressions: booked, delivered_clicks: clicks } = output;
  const of = typeof booked === "number" ? ` of ${count(booked)}` : "";
  const text = `${count(impressions)}${of} impressions, ${clicksText(clicks)}, ${spentText(talk, output, deal)}`;
  const state = states[String(deal["status"])] ?? "";
  return `Delivered so far of ${id}${state}: ${text}${paceText(talk, deal, output)}.${countedText(talk)}`;
};

const mostDeals = 12;

/** Of the deal that is meant, else of each that stands. */
export const deliveredSoFar = async (talk: Talk): Promise<Spoken> => {
  const spoken = await shown(talk, () => ({ text: "" }));
  const deal = dealIn(spoken);
  if (deal !== null) return { ...spoken, text: await deliveryOf(talk, deal) };
  if (spoken.reason !== "several") return spoken;
  const all = (await ownDeals(talk)).filter(isStanding).slice(0, mostDeals);
  const texts = await inTurn(all, (one) => deliveryOf(talk, one));
  return tell("deals", [...new Set(texts)].join("\n"), { result: { deals: all } });
};

const dealIn = ({ outcome, result }: Spoken): Slots | null =>
  outcome === "answer" && isMembers(result) && typeof result["deal_id"] === "string" ? result : null;

const figures = "impressions imps click clicks spend spent delivered delivery delivering pace pacing performing doing";

/** What a record is and what comes next; of a deal that runs, or where it is asked, first what was delivered. */
export const statusWithDelivery = async (talk: Talk): Promise<readonly Spoken[]> =>
  inTurn(await status(talk), async (spoken) => {
    const deal = dealIn(spoken);
    const isTold = deal !== null && (deal["status"] !== "proposed" || says(talk.request, figures));
    return isTold ? { ...spoken, text: `${await deliveryOf(talk, deal)} ${spoken.text}`.trim() } : spoken;
  });

/** "How much was spent?" asks for what was delivered, and for what is booked. */
export const spendWithDelivery = async (talk: Talk): Promise<Spoken> => {
  const isBooked = says(talk.request, "spent delivered") && (await ownDeals(talk)).some(isStanding);
  if (!isBooked) return spend(talk);
  const told = await deliveredSoFar(talk);
  if ((says(talk.request, "delivered") && !says(talk.request, "total")) || told.outcome !== "answer") return told;
  const booked = await spend(talk);
  return { ...booked, text: `${told.text}\n${booked.text}` };
};
