import { isMembers } from "../neutral/json-input.ts";
import { sellerDialects } from "../rest/dialects/seller.ts";
import type { Contract } from "../seam/operation.ts";
import type { ClientFailure } from "./client-result.ts";

/** `flat`: the seller specification; `envelope`: the key is in the body. */
export type SellerForm = "flat" | "envelope";

/** By the seller's origin. */
export interface DialectMemory {
  written(seller: string, contract: Contract, input: unknown, key: string | undefined): unknown;
  /** False where the form is known, pinned or missing. */
  switchTo(seller: string, contract: Contract): boolean;
}

const dialectOf = (contract: Contract) => {
  const dialect = sellerDialects.get(contract.name);
  return dialect?.name === "envelope" ? dialect : undefined;
};

/** `auto` starts flat and learns. */
export const createDialectMemory = (pinned: SellerForm | "auto"): DialectMemory => {
  const learnt = new Set<string>();
  const isEnvelope = (seller: string): boolean => pinned === "envelope" || learnt.has(seller);
  return {
    written: (seller, contract, input, key) => {
      const dialect = contract.effect !== "read" ? dialectOf(contract) : undefined;
      if (dialect === undefined || !isEnvelope(seller)) return input;
      return dialect.writeRequest({ ...(isMembers(input) ? input : {}), idempotency_key: key });
    },
    switchTo: (seller, contract) => {
      if (pinned !== "auto" || dialectOf(contract) === undefined || learnt.has(seller)) return false;
      learnt.add(seller);
      return true;
    },
  };
};

/** As sellers of the envelope form reject. */
export const namesIdempotencyKey = ({ status, detail }: ClientFailure): boolean =>
  status === 422 && detail.includes("idempotency_key");

/** Unwraps an envelope and converts its Money. */
export const readAnyForm = (contract: Contract, json: unknown): unknown => {
  const dialect = dialectOf(contract);
  if (dialect === undefined || !isMembers(json)) return json;
  const isWrapped = ["quote", "deal", "round"].some((member) => isMembers(json[member]));
  return isWrapped ? dialect.readAnswer(json) : json;
};
