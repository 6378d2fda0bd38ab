import { createHash, randomUUID } from "node:crypto";
import { boundedText, failureOf } from "../../../protocol/client/client-result.ts";
import { createKept } from "../../../protocol/client/wires/spoken.ts";
import type { Clock } from "../../../protocol/seam/ports.ts";
import {
  type AdcpAccount,
  getAdcpCapabilities,
  readAccounts,
  listTasks,
  servedVersion,
  declareAccounts,
} from "../../../skills/buyer/adcp-tasks.ts";
import type { Ask } from "../jobs/asking.ts";
import type { BookingCallFailure, BookingCallResult, CallFor } from "../../../skills/buyer/bookings/flow/ports.ts";

/** Whom the buyer buys for, as sellers are told: domains of the brand and of the agency. */
export interface AdcpBuyer {
  readonly brand: string;
  readonly operator: string;
  readonly isSandbox: boolean;
}

type AccountRef =
  | { readonly account_id: string }
  | { readonly brand: { readonly domain: string }; readonly operator: string; readonly sandbox?: true };

/** What was learnt of a seller. `tasks` are the names that it lists. */
export interface Link {
  readonly version: string;
  readonly tasks: ReadonlySet<string>;
  readonly knowsKeys: boolean;
  readonly account: AccountRef;
}

const keptMs = 300_000;

/** AdCP 3, idempotency: 16 to 255 of these characters. */
export const taskKey = (key: string): string =>
  /^[A-Za-z0-9_.:-]{16,255}$/.test(key) ? key : `parley-${createHash("sha256").update(key).digest("hex")}`;

/** Beside the members of every task. */
export const versioned = ({ version }: Pick<Link, "version">) => ({
  adcp_version: version,
  adcp_major_version: 3,
});

const naturalOf = ({ brand, operator, isSandbox }: AdcpBuyer): AccountRef => ({
  brand: { domain: brand },
  operator,
  ...(isSandbox ? { sandbox: true as const } : {}),
});

const isOurs = ({ brand, operator }: AdcpBuyer, account: AdcpAccount): boolean =>
  account.brand?.domain === brand && (account.operator ?? operator) === operator;

/** Null: it may buy. */
const accountDefect = ({ status, setup, errors }: AdcpAccount): string | null => {
  if (status === "active" || status == null) return null;
  const why = setup?.message ?? errors?.[0]?.message ?? "";
  const where = setup?.url ?? "";
  return boundedText([`The account at the seller is ${status}.`, why, where].filter((text) => text !== "").join(" "));
};

interface Paged {
  readonly pagination?:
    | {
        readonly has_more?: boolean | null | undefined;
        readonly cursor?: string | null | undefined;
      }
    | null
    | undefined;
}

const mostPagesRead = 50;

/** Page after page, until there is none left or `take` wants no more. Null: all that was asked for was answered. */
export const eachPage = async <T extends Paged>(
  ask: (page: {
    readonly pagination: { readonly max_results: number; readonly cursor?: string };
  }) => Promise<BookingCallResult<T>>,
  take: (value: T) => boolean,
): Promise<BookingCallFailure | null> => {
  let at: { readonly cursor?: string } = {};
  for (let page = 0; page < mostPagesRead; page += 1) {
    const answer = await ask({ pagination: { max_results: 100, ...at } });
    if (!answer.ok) return answer;
    const { has_more: hasMore, cursor } = answer.value.pagination ?? {};
    if (!take(answer.value) || hasMore !== true || cursor == null) return null;
    at = { cursor };
  }
  return null;
};

interface Capabilities extends Omit<Link, "account"> {
  /** Accounts are given out by the seller: none can be made by a call. */
  readonly needsOperator: boolean;
}

const capabilitiesOf = async (ask: Ask, url: string, of: CallFor): Promise<BookingCallResult<Capabilities>> => {
  const listed = await ask(url, listTasks, {}, of);
  if (!listed.ok) return listed;
  const tasks = new Set(listed.value.tasks);
  if (!tasks.has(getAdcpCapabilities.name)) {
    return failureOf(url, 501, "not_offered", "The seller lists no get_adcp_capabilities: it does not speak AdCP 3.");
  }
  const answer = await ask(url, getAdcpCapabilities, { adcp_major_version: 3 }, of);
  if (!answer.ok) return answer;
  const { adcp, account } = answer.value;
  const version = servedVersion(adcp?.supported_versions);
  if (version === null) {
    const offered = boundedText((adcp?.supported_versions ?? []).join(", "));
    return failureOf(url, 501, "not_offered", `The seller offers AdCP ${offered}; this buyer speaks 3.0 to 3.2.`);
  }
  const knowsKeys = adcp?.idempotency?.supported === true;
  return { ok: true, value: { version, tasks, knowsKeys, needsOperator: account?.require_operator_auth === true } };
};

type AccountAnswer = BookingCallResult<AccountRef>;

const notActive = (url: string, code: string, text: string) => failureOf(url, 422, code, text);

/** Declared again at each opening: that changes nothing at a seller that knows it. */
const declared = async (
  ask: Ask,
  url: string,
  { link, buyer }: { link: Capabilities; buyer: AdcpBuyer },
  of: CallFor,
): Promise<AccountAnswer> => {
  const natural = naturalOf(buyer);
  const input = { ...versioned(link), accounts: [{ ...natural, billing: "operator" }] };
  const answer = await ask(url, declareAccounts, input, { ...of, key: `parley-${randomUUID()}` });
  if (!answer.ok) return answer;
  const [synced] = answer.value.accounts;
  const defect = synced === undefined ? "The seller answered no account." : accountDefect(synced);
  return defect === null ? { ok: true, value: natural } : notActive(url, "ACCOUNT_NOT_ACTIVE", defect);
};

const granted = async (
  ask: Ask,
  url: string,
  { link, buyer }: { link: Capabilities; buyer: AdcpBuyer },
  of: CallFor,
): Promise<AccountAnswer> => {
  const natural = naturalOf(buyer);
  if (!link.tasks.has(readAccounts.name)) return { ok: true, value: natural };
  const answer = await ask(url, readAccounts, versioned(link), of);
  if (!answer.ok) return answer;
  const found = answer.value.accounts.find((account) => isOurs(buyer, account));
  if (found === undefined) {
    const text = `The seller has no account of ${buyer.operator} for ${buyer.brand}.`;
    return notActive(url, "ACCOUNT_NOT_FOUND", text);
  }
  const defect = accountDefect(found);
  if (defect !== null) return notActive(url, "ACCOUNT_NOT_ACTIVE", defect);
  return { ok: true, value: found.account_id == null ? natural : { account_id: found.account_id } };
};

export interface Links {
  /** Capabilities first, then the account; remembered for five minutes. */
  open(sellerUrl: string, of: CallFor): Promise<BookingCallResult<Link>>;
}

export const createLinks = (ask: Ask, buyer: AdcpBuyer, clock: Clock): Links => {
  const known = createKept<Link & { readonly untilMs: number }>();
  return {
    open: async (url, { key: _key, ...of }) => {
      const before = known.get(url);
      if (before !== undefined && clock.nowMs() < before.untilMs) return { ok: true, value: before };
      const capabilities = await capabilitiesOf(ask, url, of);
      if (!capabilities.ok) return capabilities;
      const link = capabilities.value;
      const isDeclared = link.tasks.has(declareAccounts.name) && !link.needsOperator;
      const account = await (isDeclared ? declared : granted)(ask, url, { link, buyer }, of);
      if (!account.ok) return account;
      const value = { ...link, account: account.value, untilMs: clock.nowMs() + keptMs };
      known.set(url, value);
      return { ok: true, value };
    },
  };
};
