import { type Caller, isOperator } from "../../protocol/seam/caller.ts";
import { apiKeyKind } from "./api-keys/record.ts";
import type { SellerContext } from "./context.ts";

/** `apikey:<key id>:<strongest id or unknown>`; without a key the caller's principal. */
export const principalOf = (caller: Caller): string => {
  const { advertiser_id, agency_id, seat_id } = caller.identity;
  const strongest = advertiser_id ?? agency_id ?? seat_id ?? "unknown";
  return caller.keyId === null ? caller.principal : `apikey:${caller.keyId}:${strongest}`;
};

/** For people: the label of the key. */
export const personOf = async (context: SellerContext): Promise<string> => {
  const name = await deciderOf(context, null);
  return name === "system" ? principalOf(context.caller) : name;
};

/** In the form of an order's record. */
export const actorOf = async (context: SellerContext): Promise<string> => {
  const name = isOperator(context.caller) ? await deciderOf(context, null) : "system";
  return name === "system" ? name : `human:${name}`;
};

/** The verified identity; an operator by the label of the key, without a key the wire's word for nobody. */
export const askerOf = async (context: SellerContext): Promise<string> => {
  const { caller } = context;
  if (caller.kind === "anonymous") return "system";
  return isOperator(caller) ? deciderOf(context, null) : caller.owner;
};

/** Whom the request names, else the label of the key. */
export const deciderOf = async (context: SellerContext, named: string | null | undefined): Promise<string> => {
  if (named != null && named !== "") return named;
  const { keyId } = context.caller;
  const key = keyId === null ? null : await context.load(apiKeyKind, keyId);
  return key?.body.label ?? "system";
};
