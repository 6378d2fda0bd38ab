import { isMembers } from "../../protocol/neutral/json-input.ts";
import { type Change, type Kind, put, type StoredRow } from "../../storage/store.ts";

/** Whom the operator named, as the rows know it. */
export interface Subject {
  /** As it was named, such as `agency:acme`; the dry run shows it. */
  readonly shown: string;
  /** Without the role. */
  readonly value: string;
  readonly owners: ReadonlySet<string>;
  readonly keyIds: ReadonlySet<string>;
  /** Who made offers: an owner, or the agency of several. */
  readonly parties: ReadonlySet<string>;
  readonly agentIds: ReadonlySet<string>;
  /** What else stands for the buyer by itself: addresses of its agents, the name of an advertiser. */
  readonly names: ReadonlySet<string>;
}

/**
 * `ids`: of rows that go or are written anew; `kept`: of those that such a row names and needs. Each kind sees those of
 * the kinds before it.
 */
export interface Forgetting {
  readonly subject: Subject;
  /** Stands for every owner in what stays. */
  readonly pseudonym: string;
  readonly ids: Set<string>;
  readonly kept: Set<string>;
  readonly nowMs: number;
}

/** Null: the row stays as it is. */
type Fate = "removed" | { readonly replaced: readonly Change[] } | null;

export interface ForgetRule {
  readonly kind: string;
  fate(row: StoredRow, of: Forgetting): Fate;
  /** A sentence on what the buyer still has a claim to; null: nothing. */
  standing?(row: StoredRow, of: Forgetting): string | null;
}

export const removedWords = "(removed)";

/** Empty text and null stay what they are. */
export const wordless = <T extends string | null | undefined>(text: T): T =>
  typeof text === "string" && text !== "" ? (removedWords as T) : text;

/** Terms, figures and days of a sale: what a contract and its bill consist of. */
const moneyFields = new Set([
  ...[
    "status",
    "decision",
    "billing",
    "currency",
    "deal_type",
    "change_type",
    "media_type",
    "product_id",
    "package_id",
  ],
  ...["deal_id", "order_id", "quote_id", "proposal_id", "flight_start", "flight_end", "start_date", "end_date"],
  ...[
    "final_cpm",
    "cpm",
    "price",
    "impressions",
    "budget",
    "buyer_price",
    "seller_price",
    "agreed_price",
    "from_status",
  ],
  ...["to_status", "tier", "role", "decided_by", "approved_by", "applied_by", "trust_status", "field"],
]);

export const isMoneyField = (name: string): boolean => moneyFields.has(name);

/** Codes, days and amounts; a buyer may have written anything under such a name. */
const code = /^[\w.:+-]{0,64}$/;

export const withoutWordsIn = (name: string, text: string): string =>
  isMoneyField(name) && code.test(text) ? text : wordless(text);

/** Texts under other names than those of money are replaced; numbers and truth values stay. */
export const withoutWords = <T>(value: T, name = ""): T => {
  if (typeof value === "string") return withoutWordsIn(name, value) as T;
  if (Array.isArray(value)) return value.map((one: unknown) => withoutWords(one, name)) as T;
  if (!isMembers(value)) return value;
  const members = Object.entries(value).map(([key, one], place) =>
    isMoneyField(key) ? [key, withoutWords(one, key)] : [/^[a-z_]+$/.test(key) ? key : `${place}`, withoutWords(one)],
  );
  return Object.fromEntries(members) as T;
};

const textsIn = (value: unknown, has: (text: string) => boolean): boolean => {
  if (typeof value === "string") return has(value);
  if (Array.isArray(value)) return value.some((one) => textsIn(one, has));
  return isMembers(value) && Object.values(value).some((one) => textsIn(one, has));
};

const ownerOf = (row: StoredRow): unknown => (isMembers(row.body) ? row.body["owner"] : undefined);

export const isOwn = (row: StoredRow, { subject, pseudonym }: Forgetting): boolean => {
  const owner = ownerOf(row);
  return typeof owner === "string" && (owner === pseudonym || subject.owners.has(owner));
};

const hasMember = (row: StoredRow, member: string, among: ReadonlySet<string>): boolean =>
  isMembers(row.body) && typeof row.body[member] === "string" && among.has(row.body[member]);

/** Names that stand for the buyer by themselves, wherever they stand. */
const isName = ({ owners, keyIds, agentIds, names }: Subject, text: string): boolean =>
  owners.has(text) || keyIds.has(text) || agentIds.has(text) || names.has(text);

type Belongs = (row: StoredRow, of: Forgetting) => boolean;

export const removing = (kind: string, belongs: Belongs): ForgetRule => ({
  kind,
  fate: (row, of) => (belongs(row, of) ? "removed" : null),
});

/** Goes with its owner. */
export const ofOwner = (...kinds: readonly string[]): readonly ForgetRule[] =>
  kinds.map((kind) => removing(kind, isOwn));

/** Goes where the member names one of them. */
export const ofMember = (kind: string, member: string, among: (of: Forgetting) => ReadonlySet<string>): ForgetRule =>
  removing(kind, (row, of) => isOwn(row, of) || hasMember(row, member, among(of)));

/** Goes with its owner, and where any text of it is a name of the buyer. */
export const mentioning = (kind: string): ForgetRule =>
  removing(kind, (row, of) => isOwn(row, of) || textsIn(row.body, (text) => isName(of.subject, text)));

/** Goes also where it names a record of the buyer. */
export const about = (kind: string): ForgetRule =>
  removing(
    kind,
    (row, of) => isOwn(row, of) || textsIn(row.body, (text) => of.ids.has(text) || isName(of.subject, text)),
  );

interface Keeping<T> {
  readonly belongs?: Belongs;
  readonly goes?: (body: T, of: Forgetting) => boolean;
  readonly replaced: (body: T, of: Forgetting) => T;
  /** What moves with the owner. */
  readonly sums?: (before: T, after: T) => readonly Change[];
  /** It was written anew before. */
  readonly isDone?: (body: T, of: Forgetting) => boolean;
  /** Of other records that stay for its sake. */
  readonly keeps?: (body: T) => readonly (string | null | undefined)[];
  readonly standing?: (body: T, of: Forgetting) => string | null;
}

const isPseudonymous = ({ owner }: { readonly owner: string }, { pseudonym }: Forgetting): boolean =>
  owner === pseudonym;

/** Stays for the sake of the books, without names and words. */
export const keeping = <T extends { readonly owner: string }>(kind: Kind<T>, rules: Keeping<T>): ForgetRule => {
  const belongs = rules.belongs ?? isOwn;
  return {
    kind: kind.name,
    fate: (row, of) => {
      if (!belongs(row, of)) return null;
      const body = row.body as T;
      if (rules.goes?.(body, of) === true) return "removed";
      for (const id of rules.keeps?.(body) ?? []) if (id != null && id !== "") of.kept.add(id);
      if ((rules.isDone ?? isPseudonymous)(body, of)) return null;
      const after = rules.replaced(body, of);
      return { replaced: [put(kind, row.id, row.version, after), ...(rules.sums?.(body, after) ?? [])] };
    },
    standing: (row, of) => (belongs(row, of) ? (rules.standing?.(row.body as T, of) ?? null) : null),
  };
};
