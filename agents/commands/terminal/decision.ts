import { userInfo } from "node:os";
import { createInterface } from "node:readline/promises";
import { isMembers } from "../../../protocol/neutral/json-input.ts";
import type { Members } from "../../../protocol/neutral/members.ts";
import { nearestOf } from "../../../tools/calls/nearest.ts";
import { printable, textTable } from "../../host/text-table.ts";
import { type CommandContext, UsageFailure } from "../context.ts";
import type { Reached } from "./reach.ts";
import { memberAt, moneyText, valueText } from "./shown.ts";

export interface DecisionFlags {
  readonly reason?: string;
  readonly impressions?: string;
  readonly yes?: boolean;
}

const decisions = ["approve", "reject", "counter"] as const;

export interface DecisionWord {
  readonly decision: (typeof decisions)[number];
  /** Of a counter, in units per thousand. */
  readonly price: number | null;
}

export const decisionOf = (word: string, price: string | undefined): DecisionWord => {
  const decision = decisions.find((one) => one === word);
  if (decision === undefined) {
    const near = nearestOf(word, decisions);
    const guess = near === null ? "" : ` Did you mean ${near}?`;
    throw new UsageFailure(`${JSON.stringify(word)} is none of approve, reject, counter.${guess}`);
  }
  if (decision === "counter") {
    if (price === undefined) throw new UsageFailure("counter needs a price in units per thousand: counter 12.10.");
    if (!/^\d{1,9}(\.\d{1,6})?$/.test(price)) throw new UsageFailure(`${JSON.stringify(price)} is no price.`);
    return { decision, price: Number(price) };
  }
  if (price !== undefined) throw new UsageFailure(`${decision} takes no price.`);
  return { decision, price: null };
};

const priceLine = (prices: unknown): string | null => {
  if (!isMembers(prices)) return null;
  const names = { floor: "floor", offer: "offer", last_ours: "our last", would: "would be", list: "list" };
  const shown = Object.entries(names).flatMap(([name, words]) => {
    const price = prices[name];
    return typeof price === "number" ? [`${words} ${moneyText(price)}`] : [];
  });
  return shown.length === 0 ? null : shown.join("   ");
};

const roundLines = (rounds: unknown): readonly string[] => {
  if (!Array.isArray(rounds) || rounds.length === 0) return [];
  const cells = rounds.filter(isMembers).map((round) => {
    const prices = ["buyer_price", "seller_price"].map((name) => valueText(name, round[name]));
    return [valueText("", round["round_number"]), ...prices, valueText("", round["action"])];
  });
  return textTable([["round", "they", "we", "action"], ...cells], (place) => place < 3).lines;
};

/** What one decision needs: who asks for what, its prices and rounds, and what follows. */
export const briefLines = (brief: Members): readonly string[] => {
  const said = (name: string, path: string): readonly string[] => {
    const value = memberAt(brief, path);
    return value === null || value === undefined ? [] : [`${name.padEnd(10)}${valueText(path, value)}`];
  };
  const flight = `${valueText("", brief["flight_start"])} to ${valueText("", brief["flight_end"])}`;
  const volume = typeof brief["impressions"] === "number" ? `${valueText("", brief["impressions"])} impressions, ` : "";
  const worth =
    typeof brief["value"] === "number" ? `   ${moneyText(brief["value"])} ${String(brief["currency"])}` : "";
  const prices = priceLine(brief["prices"]);
  return [
    printable(String(brief["headline"])),
    ...(brief["flight_start"] === null ? [] : [`${"flight".padEnd(10)}${volume}${flight}${worth}`]),
    ...(prices === null ? [] : [`${"prices".padEnd(10)}${prices}`]),
    ...said("buyer", "buyer.owner"),
    ...said("tier", "buyer.tier_reason"),
    ...said("rules", "rules.because"),
    ...said("left", "inventory.left_after"),
    ...roundLines(brief["rounds"]),
    ...said("approve", "outcomes.approve"),
    ...said("reject", "outcomes.reject"),
    ...said("until", "expires_at"),
    ...said("status", "status"),
  ];
};

const isConfirmed = async (context: CommandContext, question: string): Promise<boolean> => {
  const lines = createInterface({ input: process.stdin, output: process.stdout });
  try {
    const answer = await lines.question(`${question} [y/N] `, { signal: context.unheard });
    return /^y(es)?$/i.test(answer.trim());
  } finally {
    lines.close();
  }
};

const isOnTerminal = (): boolean => process.stdin.isTTY && process.stdout.isTTY;

/** Decides what was shown: a record that changed meanwhile is refused by its revision. */
export const decide = async (
  context: CommandContext,
  { call, isHostOperator }: Reached,
  brief: Members,
  { decision, price }: DecisionWord,
  flags: DecisionFlags,
): Promise<Members | null> => {
  const words = price === null ? decision : `${decision} at ${moneyText(price)}`;
  if (flags.yes !== true) {
    if (!isOnTerminal()) {
      const line = [printable(String(brief["approval_id"])), decision, ...(price === null ? [] : [price])].join(" ");
      throw new UsageFailure(`Nobody can be asked here. Without a question: parley approvals ${line} --yes`);
    }
    for (const line of briefLines(brief)) context.print(line);
    if (!(await isConfirmed(context, `${words[0]?.toUpperCase()}${words.slice(1)}?`))) {
      context.print("Nothing was decided.");
      return null;
    }
  }
  const { impressions, reason } = flags;
  if (impressions !== undefined && !/^\d{1,15}$/.test(impressions)) {
    throw new UsageFailure(`--impressions: ${JSON.stringify(impressions)} is no number of impressions.`);
  }
  const volume = impressions === undefined ? {} : { impressions: Number(impressions) };
  return call("approve_or_reject", {
    approval_id: brief["approval_id"],
    decision,
    if_match: brief["revision"],
    ...(isHostOperator ? { decided_by: userInfo().username } : {}),
    ...(reason === undefined ? {} : { reason }),
    ...(price === null ? {} : { modifications: { price, ...volume } }),
  });
};
