import { type Memory, recordIds } from "./memory.ts";
import { isQuestion } from "./reading/choice/mood.ts";
import { plainText } from "./reading/choice/spelling.ts";
import type { Heard } from "./reading/slots.ts";
import { ofCampaign, only } from "./topics.ts";

interface Said {
  readonly text: string;
  readonly heard: Heard;
}

/** A budget that is named for no single product is that of all of them. */
const budgetOf = ({ heard }: Said, { campaignBudget }: Memory): number | undefined => {
  const { budget } = heard.slots;
  const isOfAll = heard.inventory.length !== 1 && heard.currency === null && typeof budget === "number";
  return isOfAll ? budget : campaignBudget;
};

/** "Does CTV reach young people?" sets no target for what is booked later. */
const targetingOf = ({ text, heard }: Said, before: Memory, after: Memory): Memory["terms"] => {
  const isSame = recordIds.every((name) => before.terms[name] === after.terms[name]);
  const isAsked = isSame && heard.inventory.length > 0 && isQuestion(plainText(text));
  if (!isAsked || ofCampaign.every((name) => heard.slots[name] === undefined)) return after.terms;
  const rest = Object.entries(after.terms).filter(([name]) => !ofCampaign.includes(name));
  return { ...Object.fromEntries(rest), ...only(before.terms, ofCampaign) };
};

/** What a message says of the campaign as a whole. */
export const withCampaign = (before: Memory, after: Memory, said: Said): Memory => {
  const budget = budgetOf(said, before);
  return {
    ...after,
    terms: targetingOf(said, before, after),
    ...(budget === undefined ? {} : { campaignBudget: budget }),
  };
};
