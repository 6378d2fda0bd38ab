export interface ObjectiveRow {
  readonly contains: readonly string[];
  readonly equals: readonly string[];
  readonly weights: Readonly<Record<string, number>>;
}

/** The order settles ties. */
export const tableChannels = ["branding", "performance", "ctv", "mobile_app"] as const;

/** The first match counts; the last row matches everything. */
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

export const knownChannels = [...tableChannels, "display", "video", "native", "linear_tv", "dooh", "audio"] as const;

const familyOf: ReadonlyMap<string, string> = new Map([
  ["display", "branding"],
  ["video", "branding"],
  ["native", "branding"],
  ["dooh", "branding"],
  ["audio", "branding"],
  ["linear_tv", "ctv"],
]);

const channelOfAlias: ReadonlyMap<string, string> = new Map([
  ["banner", "display"],
  ["mobile", "mobile_app"],
  ["app", "mobile_app"],
  ["tv", "ctv"],
  ["streaming", "ctv"],
]);

export const channelOf = (name: string): string => {
  const trimmed = name.trim().toLowerCase();
  return channelOfAlias.get(trimmed) ?? trimmed;
};

export const channelsOf = (names: readonly string[]): readonly string[] => [
  ...new Set(names.map(channelOf).filter((name) => name !== "")),
];

export const isKnownChannel = (channel: string): boolean => (knownChannels as readonly string[]).includes(channel);

export const weighingChannel = (channel: string): string => familyOf.get(channel) ?? channel;

export const rowOf = (rows: readonly ObjectiveRow[], objective: string): ObjectiveRow | null => {
  const text = objective.trim().toLowerCase();
  return rows.find((row) => row.equals.includes(text) || row.contains.some((part) => text.includes(part))) ?? null;
};
