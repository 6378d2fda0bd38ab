import { quoted, seenText } from "../../../protocol/neutral/seen-text.ts";

const longestName = 80;

const clipped = (text: string, most: number): string => (text.length > most ? `${text.slice(0, most - 1)}…` : text);

/** Text of others as it may be shown: never markup, on one line, and what is invisible escaped. */
export const plain = (text: string | null | undefined, most = longestName): string =>
  clipped(seenText((text ?? "").replace(/\r?\n|\t/g, " ")), most);

/** Words of the other side that stand among ours: in quotation marks that they cannot end. */
export const quotation = (text: string, most: number): string => quoted(clipped(text, most));

const isoDate = /\b\d{4}-\d\d-\d\d\b/g;
const instant = /\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?Z/g;
const fieldName = /\s\([a-z]+(?:_[a-z]+)+\)/g;
const wireWord = /\b[a-z]+_[a-z_]+\b/;

/** Sentences of the wire with times as people write them, without those that tell a program what to call. */
export const spoken = (text: string | null | undefined, most: number): string =>
  plain(text, most)
    .replace(instant, (time) => moment(time))
    .replace(isoDate, (date) => day(date))
    .replace(fieldName, "")
    .split(/(?<=[.!?]) /)
    .filter((sentence) => !wireWord.test(sentence))
    .join(" ");

/** Text of several lines, its line breaks kept. */
export const plainLines = (text: string, most: number): string =>
  text
    .split("\n")
    .map((line) => plain(line, most))
    .join("\n")
    .slice(0, most);

const numbers = new Intl.NumberFormat("en-US");
const short = new Intl.NumberFormat("en-US", { notation: "compact", maximumFractionDigits: 1 });

const moneyFormats = new Map<string, Intl.NumberFormat>();

const moneyFormat = (currency: string, digits: number): Intl.NumberFormat => {
  const key = `${currency}${digits}`;
  const known = moneyFormats.get(key);
  if (known !== undefined) return known;
  const code = /^[A-Z]{3}$/.test(currency) ? currency : "USD";
  const made = new Intl.NumberFormat("en-US", {
    style: "currency",
    currency: code,
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
  moneyFormats.set(key, made);
  return made;
};

type Amount = number | null | undefined;

const none = "none";

/** With cents, as on a contract. */
export const money = (amount: Amount, currency: string | null | undefined): string =>
  amount == null ? none : moneyFormat(currency ?? "USD", 2).format(amount);

/** Per thousand: with the decimals that it has, so that it is not shown as another price. */
export const priceText = (amount: Amount, currency: string | null | undefined): string => {
  const decimals = amount == null ? 0 : (/\.(\d+)$/.exec(String(Math.round(amount * 1e6) / 1e6))?.[1] ?? "").length;
  return amount == null ? none : moneyFormat(currency ?? "USD", Math.max(2, decimals)).format(amount);
};

/** Without cents, for lists and figures. */
export const roundMoney = (amount: Amount, currency: string | null | undefined): string =>
  amount == null ? none : moneyFormat(currency ?? "USD", 0).format(amount);

export const count = (amount: Amount): string => (amount == null ? none : numbers.format(amount));

export const shortCount = (amount: Amount): string => (amount == null ? none : short.format(amount));

/** `share` 0.164 is +16.4 %. */
export const change = (share: number): string => `${share > 0 ? "+" : ""}${(share * 100).toFixed(1)} %`;

export const plural = (amount: number, one: string, many = `${one}s`): string =>
  `${numbers.format(amount)} ${amount === 1 ? one : many}`;

const dayFormat = new Intl.DateTimeFormat("en-GB", {
  day: "numeric",
  month: "short",
  year: "numeric",
  timeZone: "UTC",
});
const shortDay = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", timeZone: "UTC" });
const timeFormat = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit", timeZone: "UTC" });

const dateOf = (iso: string): Date | null => {
  const date = new Date(iso);
  return Number.isNaN(date.getTime()) ? null : date;
};

export const day = (iso: string | null | undefined): string => {
  const date = iso == null ? null : dateOf(iso);
  return date === null ? none : dayFormat.format(date);
};

/** "1 Jun to 28 Jun 2027". */
export const flight = (start: string | null | undefined, end: string | null | undefined): string => {
  const from = start == null ? null : dateOf(start);
  const to = end == null ? null : dateOf(end);
  if (from === null || to === null) return none;
  const isOneYear = from.getUTCFullYear() === to.getUTCFullYear();
  return `${(isOneYear ? shortDay : dayFormat).format(from)} to ${dayFormat.format(to)}`;
};

/** From here on, days without their years could be taken for others. */
const longSpanMs = 330 * 86_400_000;

/** "5 Oct – 27 Dec", with years where it lasts about one; an open side is left out. */
export const shortDays = (start: string, end: string): string => {
  const [from, to] = [dateOf(start), dateOf(end)];
  const isShort = (to?.getTime() ?? 0) - (from?.getTime() ?? 0) < longSpanMs || from === null || to === null;
  const text = (date: Date | null): string => (date === null ? "" : (isShort ? shortDay : dayFormat).format(date));
  return `${text(from)} – ${text(to)}`.trim();
};

/** "28 Nov", where the year goes without saying. */
export const dayOfYear = (iso: string | null | undefined): string => {
  const date = iso == null ? null : dateOf(iso);
  return date === null ? none : shortDay.format(date);
};

export const moment = (iso: string | null | undefined): string => {
  const date = iso == null ? null : dateOf(iso);
  return date === null ? none : `${shortDay.format(date)}, ${timeFormat.format(date)}`;
};

export const timeOf = (iso: string): string => {
  const date = dateOf(iso);
  return date === null ? none : timeFormat.format(date);
};

const minuteMs = 60_000;

/** "23 h 37 min"; days from two on. */
export const duration = (ms: number): string => {
  const minutes = Math.max(0, Math.floor(ms / minuteMs));
  if (minutes < 1) return "under 1 min";
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  if (hours < 48) return minutes % 60 === 0 ? `${hours} h` : `${hours} h ${minutes % 60} min`;
  return `${Math.floor(hours / 24)} d`;
};

export const ago = (iso: string | null | undefined, nowMs: number): string => {
  const date = iso == null ? null : dateOf(iso);
  if (date === null) return none;
  const ms = nowMs - date.getTime();
  return ms < minuteMs ? "just now" : `${duration(ms)} ago`;
};

export const left = (iso: string, nowMs: number): string => {
  const ms = (dateOf(iso)?.getTime() ?? nowMs) - nowMs;
  return ms <= 0 ? "time is up" : `${duration(ms)} left`;
};

/** "$1.2M", where a full sum has no room. */
export const shortMoney = (amount: Amount, currency: string | null | undefined): string => {
  if (amount == null) return none;
  const code = /^[A-Z]{3}$/.test(currency ?? "") ? (currency ?? "USD") : "USD";
  const style = { style: "currency", currency: code, notation: "compact", maximumFractionDigits: 1 } as const;
  return new Intl.NumberFormat("en-US", style).format(amount);
};

/** Whose record it is; an owner without a name is a key that nobody named, and its id is no name. */
export const buyerName = (name: string | null | undefined, owner: string | null | undefined): string => {
  if (name != null && name !== "") return plain(name);
  const [kind = "", id = ""] = (owner ?? "").split(/:(.*)/s);
  if (id === "") return plain(owner ?? none);
  return kind === "key" ? `Unnamed key …${plain(id.slice(-6))}` : plain(id);
};

/** Values in several currencies, the largest first. */
export const moneyOf = (values: Readonly<Record<string, number>> | null | undefined): string => {
  const texts = Object.entries(values ?? {})
    .toSorted(([, one], [, other]) => other - one)
    .map(([currency, value]) => roundMoney(value, currency));
  return texts.length === 0 ? "none" : texts.join(" and ");
};

export const share = (part: number): string => `${Math.round(part * 100)} %`;
