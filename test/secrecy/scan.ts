/** `ids` are the parts of the verified identity, for example `agency-2`. */
export interface Recipient {
  readonly owner: string;
  readonly isOperator: boolean;
  readonly ids: readonly string[];
}

/** A `document` is for everybody and names fields: OpenAPI, cards, tool lists. */
export interface Sent {
  readonly to: Recipient;
  readonly what: string;
  readonly text: string;
  readonly document: boolean;
}

/** Secrets as they are, floors and what targets are taken from in micros. */
export interface Hidden {
  readonly secrets: readonly string[];
  readonly floorMicros: readonly number[];
}

/** `takeLeaks` returns what should not have been there. */
export interface Scan {
  /** A caller may read its own words again. */
  asked(owner: string, text: string): void;
  sent(sent: Sent): void;
  /** Log lines and stored events may hold no secret. */
  kept(what: string, text: string): void;
  /** No other buyer may see these from now on. */
  known(recipient: Recipient): void;
  /** Another store may use an id again. */
  forgetRecords(): void;
  /** The callers of another test file have said nothing yet. */
  forgetAll(): void;
  takeLeaks(): string[];
}

const mintedSecret = /(?:ask|abk)_live_[\w-]{43}|whsec_[\w+/=]{32,}/g;

const recordId =
  /\b(?:(?:qt|wh)-[0-9a-f]{12}|(?:prop|neg|key)-[0-9a-f]{8}|(?:ORD|CR|DEMO)-[0-9A-F]{12}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\b/g;

const sellersOwn =
  /\\*"(?:accept_from|strategy|max_rounds|per_round_concession_cap|total_concession_cap|evaluation)\\*"\s*:\s*(?!null)|floor|(?:reserve|lowest|minimum) price/gi;

/** Null members, a deal's bid floor (its price), and the price of a package or of AdCP's option of an auction. */
const harmless = [/\\*"[a-z_]*floor[a-z_]*\\*"\s*:\s*null/gi, /bid_?floor(?:cur)?/gi];
const packageFloor = /\\*"floor_price\\*"\s*:\s*[\d.]+/g;

const withoutHarmless = (text: string): string => {
  const plain = harmless.reduce((left, pattern) => left.replace(pattern, ""), text);
  const hasOwnFigure = text.includes("package_id") || text.includes("pricing_option_id");
  return hasOwnFigure ? plain.replace(packageFloor, "") : plain;
};

/** Micros, and units cut after the third decimal; ids and times of day are none. */
const figuresOf = (floorMicros: readonly number[]): RegExp => {
  const units = floorMicros.map((micros) => String(micros / 1_000_000));
  const cut = units.map((text) => text.slice(0, text.indexOf(".") + 4).replace(".", "\\.")).join("|");
  return new RegExp(`(?<![\\da-f.-])(?:${floorMicros.join("|")})(?![\\da-f-])|(?<![\\d.]|\\d:)(?:${cut})`);
};

const around = (text: string, at: number): string => text.slice(Math.max(0, at - 60), at + 60).replace(/\s+/g, " ");

const wholeWord = (word: string): RegExp => new RegExp(`(?<![\\w-])${word.replace(/[^\w-]/g, "\\$&")}(?![\\w-])`);

const longestKept = 65_536;

/** A shorter part is a word that may stand anywhere by chance. */
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

  /** The first to name an id need not be its maker: answers of two connections have no order. */
  const scanIds = ({ to, what, text }: Sent): void => {
    for (const id of new Set(text.match(recordId))) {
      const owner = ownerOfId.get(id);
      // Whoever asked for a key without one was anonymous; the key itself may be told what it is.
      if (owner === to.owner || to.owner === `key:${id}` || said.get(to.owner)?.ids.has(id) === true) continue;
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
