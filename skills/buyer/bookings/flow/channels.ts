/** Any other channel buys the type of its own name. */
const inventoryTypes: Readonly<Record<string, readonly string[]>> = {
  branding: ["display", "video", "native"],
  performance: ["display", "native"],
  ctv: ["ctv"],
  mobile_app: ["mobile_app"],
};

const openTypes = ["PD", "PA"];
const dealTypes: Readonly<Record<string, readonly string[]>> = {
  branding: openTypes,
  performance: openTypes,
  mobile_app: openTypes,
  ctv: ["PG", "PD"],
};
const anyType = ["PG", "PD", "PA"];

export const typesOf = (channel: string): readonly string[] =>
  Object.hasOwn(inventoryTypes, channel) ? (inventoryTypes[channel] ?? []) : [channel];

export const channelBuys = (channel: string, inventoryType: string): boolean =>
  typesOf(channel).includes(inventoryType);

/** Null when the product is sold with none of the channel's deal types. */
export const dealTypeFor = (channel: string, sold: readonly string[]): string | null => {
  const wanted = Object.hasOwn(dealTypes, channel) ? (dealTypes[channel] ?? anyType) : anyType;
  return wanted.find((type) => sold.includes(type)) ?? null;
};
