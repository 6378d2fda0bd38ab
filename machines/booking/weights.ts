/** How an objective spreads a budget over the channels: whole numbers, as parts of 100. */
export interface ObjectiveRow {
  /** The row is for objectives that contain one of these, in lower case. */
  readonly contains: readonly string[];
  /** The row is also for an objective that is exactly one of these. */
  readonly equals: readonly string[];
  readonly weights: Readonly<Record<string, number>>;
}

/** The channels of the table, in the order in which ties are settled and channels are listed. */
export const tableChannels = ["branding", "performance", "ctv", "mobile_app"] as const;

/** The first row that matches counts; the last matches everything. */
export const defaultObjectiveRows: readonly ObjectiveRow[] = [
  {
    contains: ["install", "app_"],
    equals: ["app"],
    weights: { branding: 10, performance: 20, ctv: 0, mobile_app: 70 },
  },
  {
    contains: ["conver", "sale", "lead", "traffic", "click", "perform", "roas", "purchase", "acqui"],
    equals: [],
    weights: { branding: 10, performance: 70, ctv: 0, mobile_app: 20 },
  },
  {
    contains: ["aware", "reach", "brand", "view", "consider", "engage"],
    equals: [],
    weights: { branding: 50, performance: 0, ctv: 40, mobile_app: 10 },
  },
  { contains: [""], equals: [], weights: { branding: 40, performance: 40, ctv: 20, mobile_app: 0 } },
];

/** Every channel that a brief may name. The table's buy several inventory types, the others the one of their name. */
export const knownChannels = [...tableChannels, "display", "video", "native", "linear_tv", "dooh", "audio"] as const;

/** The table's channel whose weight a channel of one inventory type shares. */
const familyOf: ReadonlyMap<string, string> = new Map([
  ["display", "branding"],
  ["video", "branding"],
  ["native", "branding"],
  ["dooh", "branding"],
  ["audio", "branding"],
  ["linear_tv", "ctv"],
]);

/** Other names of channels. */
const channelOfAlias: ReadonlyMap<string, string> = new Map([
  ["banner", "display"],
  ["mobile", "mobile_app"],
  ["app", "mobile_app"],
  ["tv", "ctv"],
  ["streaming", "ctv"],
]);

/** A channel as a brief names it, in the words of `knownChannels`; other names stay as they are. */
export const channelOf = (name: string): string => {
  const trimmed = name.trim().toLowerCase();
  return channelOfAlias.get(trimmed) ?? trimmed;
};

/** The channels that a brief names, each once; blank names are dropped. */
export const channelsOf = (names: readonly string[]): readonly string[] => [
  ...new Set(names.map(channelOf).filter((name) => name !== "")),
];

export const isKnownChannel = (channel: string): boolean => (knownChannels as readonly string[]).includes(channel);

/** The table's channel that stands for a channel in the weights. */
export const weighingChannel = (channel: string): string => familyOf.get(channel) ?? channel;

/** The row for one objective; null when the table has none for it. */
export const rowOf = (rows: readonly ObjectiveRow[], objective: string): ObjectiveRow | null => {
  const text = objective.trim().toLowerCase();
  return rows.find((row) => row.equals.includes(text) || row.contains.some((part) => text.includes(part))) ?? null;
};
