import type { Caller } from "../../protocol/seam/caller.ts";

/** `apikey:<key id>:<strongest id or unknown>`; without a key the caller's principal. */
export const principalOf = (caller: Caller): string => {
  const { advertiser_id, agency_id, seat_id } = caller.identity;
  const strongest = advertiser_id ?? agency_id ?? seat_id ?? "unknown";
  return caller.keyId === null ? caller.principal : `apikey:${caller.keyId}:${strongest}`;
};
