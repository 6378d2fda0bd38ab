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

/** The first row that matches counts; the last matches everything (buyer's wire contract 3.4). */
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

/** Other names of the table's channels; any other name is a channel of its own, meaning that inventory type. */
const channelOfAlias: ReadonlyMap<string, string> = new Map([
  ["display", "branding"],
  ["video", "branding"],
  ["native", "branding"],
  ["banner", "branding"],
  ["mobile", "mobile_app"],
  ["app", "mobile_app"],
  ["tv", "ctv"],
  ["streaming", "ctv"],
]);

/** A channel as a brief names it, in the table's words; blank names are dropped, each channel stands once. */
export const channelsOf = (names: readonly string[]): readonly string[] => {
  const trimmed = names.map((name) => name.trim().toLowerCase()).filter((name) => name !== "");
  return [...new Set(trimmed.map((name) => channelOfAlias.get(name) ?? name))];
};

/** The row for one objective; null when the table has none for it. */
export const rowOf = (rows: readonly ObjectiveRow[], objective: string): ObjectiveRow | null => {
  const text = objective.trim().toLowerCase();
  return rows.find((row) => row.equals.includes(text) || row.contains.some((part) => text.includes(part))) ?? null;
};
