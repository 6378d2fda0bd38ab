/** Whom an answer went to. `ids` are the parts of the verified identity, for example `agency-2`. */
export interface Recipient {
  readonly owner: string;
  readonly isOperator: boolean;
  readonly ids: readonly string[];
}

/**
 * Something that left an agent: `what` names it in a finding. A `document` is written for everybody and names the
 * fields of the interface: OpenAPI, cards, the list of tools.
 */
export interface Sent {
  readonly to: Recipient;
  readonly what: string;
  readonly text: string;
  readonly document: boolean;
}

/** What nobody, or no buyer, may be shown: secrets as they are, floors in micros. */
export interface Hidden {
  readonly secrets: readonly string[];
  readonly floorMicros: readonly number[];
}

/** Reads everything that leaves an agent; `takeLeaks` tells what should not have been there. */
export interface Scan {
  /** What a caller sent: it may read its own words again. */
  asked(owner: string, text: string): void;
  sent(sent: Sent): void;
  /** A log line or a stored event: no secret may stand in it. */
  kept(what: string, text: string): void;
  /** From now on these belong to this recipient, and no other buyer may see them. */
  known(recipient: Recipient): void;
  /** Whose record an id is counts no longer: another store may use it again. */
  forgetRecords(): void;
  /** Forgets everything: another test file begins, whose callers have said nothing yet. */
  forgetAll(): void;
  takeLeaks(): string[];
}

const mintedSecret = /(?:ask|abk)_live_[\w-]{43}|whsec_[\w+/=]{32,}/g;

const recordId =
  /\b(?:(?:qt|wh)-[0-9a-f]{12}|(?:prop|neg|key)-[0-9a-f]{8}|(?:ORD|CR|DEMO)-[0-9A-F]{12}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\b/g;

/** The seller's side of a negotiation and of a price, as members with a value and as words. */
const sellersOwn =
  /\\*"(?:strategy|max_rounds|per_round_concession_cap|total_concession_cap|evaluation)\\*"\s*:\s*(?!null)|floor|(?:reserve|lowest|minimum) price/gi;

/** A member without a value, the bid floor of a deal's activation (its price), and a package's own figure. */
const harmless = [/\\*"[a-z_]*floor[a-z_]*\\*"\s*:\s*null/gi, /bid_?floor(?:cur)?/gi];
const packageFloor = /\\*"floor_price\\*"\s*:\s*[\d.]+/g;

const withoutHarmless = (text: string): string => {
  const plain = harmless.reduce((left, pattern) => left.replace(pattern, ""), text);
  return text.includes("package_id") ? plain.replace(packageFloor, "") : plain;
};

/** Figures as answers write money: micros, and units cut after the third decimal; ids and times of day are none. */
const figuresOf = (floorMicros: readonly number[]): RegExp => {
  const units = floorMicros.map((micros) => String(micros / 1_000_000));
  const cut = units.map((text) => text.slice(0, text.indexOf(".") + 4).replace(".", "\\.")).join("|");
  return new RegExp(`(?<![\\da-f.-])(?:${floorMicros.join("|")})(?![\\da-f-])|(?<![\\d.]|\\d:)(?:${cut})`);
};

const around = (text: string, at: number): string => text.slice(Math.max(0, at - 60), at + 60).replace(/\s+/g, " ");

const wholeWord = (word: string): RegExp => new RegExp(`(?<![\\w-])${word.replace(/[^\w-]/g, "\\$&")}(?![\\w-])`);

const longestKept = 65_536;

/** An identity part shorter than this is a word that may stand anywhere by chance. */
const shortestId = 6;

export const createScan = (hidden: Hidden): Scan => {
  const { secrets } = hidden;
  const figures = figuresOf(hidden.floorMicros);
  const shown = new Set<string>();
  const said = new Map<string, { readonly texts: string[]; readonly ids: Set<string> }>();
  const holders = new Map<string, Set<string>>();
  const ownerOfId = new Map<string, string>();
  let leaks: string[] = [];

  const find = (what: string, why: string, text: string, at: number): void => {
    leaks.push(`${what}: ${why}: …${around(text, at)}…`);
  };

  const hasSaid = (owner: string, word: string): boolean =>
    said.get(owner)?.texts.some((text) => text.includes(word)) ?? false;

  const scanSecrets = (what: string, text: string, mayShowNew: boolean): void => {
    for (const secret of secrets) {
      const at = text.indexOf(secret);
      if (at >= 0) find(what, "a secret", text, at);
    }
    const minted = new Set(text.match(mintedSecret));
    for (const secret of minted) {
      if (!mayShowNew || shown.has(secret)) find(what, "a key's secret", text, text.indexOf(secret));
      shown.add(secret);
    }
  };

  const scanFigures = ({ what, text }: Sent): void => {
    const at = hidden.floorMicros.length === 0 ? -1 : text.search(figures);
    if (at >= 0) find(what, "the figure of a floor", text, at);
  };

  const scanWords = ({ what, text }: Sent): void => {
    const left = withoutHarmless(text);
    for (const { index } of left.matchAll(sellersOwn)) find(what, "what is the seller's own", left, index);
  };

  const scanNames = ({ to, what, text }: Sent): void => {
    for (const [id, owners] of holders) {
      if (owners.has(to.owner) || to.ids.includes(id) || !text.includes(id) || hasSaid(to.owner, id)) continue;
      const at = text.search(wholeWord(id));
      if (at >= 0) find(what, `another buyer's identity, ${id}`, text, at);
    }
  };

  /** Whoever names an id first did not make it: answers of two connections are not judged in the order of their time. */
  const scanIds = ({ to, what, text }: Sent): void => {
    for (const id of new Set(text.match(recordId))) {
      const owner = ownerOfId.get(id);
      if (owner === to.owner || said.get(to.owner)?.ids.has(id) === true) continue;
      if (owner === undefined) ownerOfId.set(id, to.owner);
      else find(what, `a record of ${owner}`, text, text.indexOf(id));
    }
  };

  return {
    asked: (owner, text) => {
      const words = said.get(owner) ?? { texts: [], ids: new Set() };
      words.texts.push(text.slice(0, longestKept));
      for (const id of text.match(recordId) ?? []) words.ids.add(id);
      said.set(owner, words);
    },
    sent: (sent) => {
      scanSecrets(sent.what, sent.text, true);
      if (sent.to.isOperator) return;
      scanFigures(sent);
      if (sent.document) return;
      scanWords(sent);
      scanNames(sent);
      scanIds(sent);
    },
    kept: (what, text) => scanSecrets(what, text, false),
    known: ({ owner, isOperator, ids }) => {
      if (isOperator) return;
      for (const id of ids.filter((one) => one.length >= shortestId)) {
        holders.set(id, (holders.get(id) ?? new Set()).add(owner));
      }
    },
    forgetAll: () => {
      for (const known of [shown, said, holders, ownerOfId]) known.clear();
      leaks = [];
    },
    forgetRecords: () => ownerOfId.clear(),
    takeLeaks: () => {
      const taken = leaks;
      leaks = [];
      return taken;
    },
  };
};
