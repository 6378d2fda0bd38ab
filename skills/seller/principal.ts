import type { Caller } from "../../protocol/seam/caller.ts";

/**
 * The proven credential behind an act as records show it (wire contract 3.13): `apikey:<key id>:<strongest id or
 * unknown>`, or the caller's principal where no key was used.
 */
export const principalOf = (caller: Caller): string => {
  const { advertiser_id, agency_id, seat_id } = caller.identity;
  const strongest = advertiser_id ?? agency_id ?? seat_id ?? "unknown";
  return caller.keyId === null ? caller.principal : `apikey:${caller.keyId}:${strongest}`;
};
