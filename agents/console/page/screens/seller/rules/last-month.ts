import type { OutputOf } from "../../../agent/api.ts";
import type * as seller from "../../../agent/seller.generated.ts";
import { count, money, plural, roundMoney } from "../../../form.ts";

export type LastMonth = NonNullable<OutputOf<typeof seller.updateSellingRules>["last_month"]>;

const usd = (value: number): string => roundMoney(value, "USD");

const ofApprovals = ({ seen, waited, would_wait: would, more, fewer }: LastMonth["approvals"]): string => {
  const all = plural(seen, "booking and offer", "bookings and offers");
  if (more.count + fewer.count === 0) return `Approvals: the same ${count(waited)} of ${all} wait.`;
  const changes = `${more.count} more, ${usd(more.value)}; ${fewer.count} fewer, ${usd(fewer.value)}`;
  return `Approvals: ${count(would)} of ${all} would wait instead of ${count(waited)} (${changes}).`;
};

const ofQuotes = ({ seen, changed, value, would_value: would }: LastMonth["quotes"]): string =>
  changed === 0
    ? `Prices: none of ${plural(seen, "quote")} changes.`
    : `Prices: ${count(changed)} of ${plural(seen, "quote")} change, ${usd(value)} → ${usd(would)} in all.`;

const ofTalks = (talks: LastMonth["talks"]): string => {
  if (talks.changed === 0) return `Price talks: none of ${count(talks.seen)} ends otherwise.`;
  const [before, after] = [money(talks.average_last, "USD"), money(talks.would_average_last, "USD")];
  return (
    `Price talks: ${count(talks.changed)} of ${count(talks.seen)} end otherwise. Your last price is ${after} instead ` +
    `of ${before} on average, and ${talks.would_agree} instead of ${talks.agreed} are agreed.`
  );
};

/** What other rules would have decided, a sentence each. */
export const decidedSentences = ({ approvals, quotes, talks }: LastMonth): readonly string[] => [
  ofApprovals(approvals),
  ofQuotes(quotes),
  ofTalks(talks),
];
