import { isMembers } from "../neutral/json-input.ts";
import { sellerDialects } from "../rest/dialects/seller.ts";
import type { Contract } from "../seam/operation.ts";
import type { ClientFailure } from "./client-result.ts";

/** `flat` is the form of the seller specification, `envelope` that of sellers which want the key in the body. */
export type SellerForm = "flat" | "envelope";

/** Which form each seller speaks, by its origin. */
export interface DialectMemory {
  /** The input as this seller reads it. */
  written(seller: string, contract: Contract, input: unknown, key: string | undefined): unknown;
  /** Remembers that the seller wants the envelope; false where that is known, pinned, or no form of the operation. */
  switchTo(seller: string, contract: Contract): boolean;
}

const dialectOf = (contract: Contract) => {
  const dialect = sellerDialects.get(contract.name);
  return dialect?.name === "envelope" ? dialect : undefined;
};

/** `auto` starts flat and learns; any other word is never changed. */
export const createDialectMemory = (pinned: SellerForm | "auto"): DialectMemory => {
  const learnt = new Set<string>();
  const isEnvelope = (seller: string): boolean => pinned === "envelope" || learnt.has(seller);
  return {
    written: (seller, contract, input, key) => {
      const dialect = contract.effect === "write" ? dialectOf(contract) : undefined;
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

/** Whether a refusal says that the body lacks its `idempotency_key`, as sellers of the envelope do. */
export const namesIdempotencyKey = ({ status, detail }: ClientFailure): boolean =>
  status === 422 && detail.includes("idempotency_key");

/** An answer in the flat form, whichever form it came in: a wrapped record is unwrapped and its Money read. */
export const readAnyForm = (contract: Contract, json: unknown): unknown => {
  const dialect = dialectOf(contract);
  if (dialect === undefined || !isMembers(json)) return json;
  const isWrapped = ["quote", "deal", "round"].some((member) => isMembers(json[member]));
  return isWrapped ? dialect.readAnswer(json) : json;
};
