/** One of each profile, with the settings that it needs. */
export const PROFILES = [
  ["standard", {}],
  ["prebid-server", {}],
  ["aps", { account_id: "1" }],
] as const;

/** It is asked about each slot; `fakeEdge` sees it by the host `<id>.example`. */
export const provider = (id: string, more: object = {}) => ({
  [id]: { protocol: "openrtb-2.6", endpoint: `https://${id}.example/`, routing: "all_eligible", ...more },
});

export const UNIT = { code: "top", mediaTypes: { banner: { sizes: [[300, 250]] } } };

/** A bid for `UNIT`. */
export const bid = (price: number, more: object = {}) => ({
  id: `b${price}`,
  impid: "top",
  price,
  w: 300,
  h: 250,
  adm: "x",
  ...more,
});
