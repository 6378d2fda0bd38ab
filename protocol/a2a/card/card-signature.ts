import { createPublicKey, type KeyObject } from "node:crypto";
import { AgentCard, canonicalizeAgentCard, generateAgentCardSignature } from "@a2a-js/sdk";
import { calculateJwkThumbprint, FlattenedSign, type JWK } from "jose";
import { canonicalJson } from "../../neutral/canonical.ts";

/** JWS over the canonical card (A2A 1.0, 8.4). */
export interface CardSigner {
  /** The public key, as `jku` serves it. */
  readonly jwks: { readonly keys: readonly JWK[] };
  sign(card: AgentCard): Promise<AgentCard>;
  /** A card in its JSON form, of either version. */
  signView(view: object): Promise<object>;
}

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

export const createCardSigner = async (key: KeyObject, jku: string): Promise<CardSigner> => {
  const jwk = createPublicKey(key).export({ format: "jwk" }) as JWK;
  const kid = await calculateJwkThumbprint(jwk);
  const header = { alg: "ES256", typ: "JOSE", kid, jku };
  const signed = (payload: string) => new FlattenedSign(bytesOf(payload)).setProtectedHeader(header).sign(key);
  return {
    jwks: { keys: [{ ...jwk, kid, alg: "ES256", use: "sig" }] },
    sign: generateAgentCardSignature(key, header),
    // The 0.3 view has members that 1.0 drops before it verifies: each reading has a signature of its own.
    signView: async (view) => {
      const readings = new Set([canonicalJson(view), canonicalizeAgentCard(AgentCard.fromJSON(view))]);
      const signatures = [];
      for (const reading of readings) {
        const { protected: protectedHeader, signature } = await signed(reading);
        signatures.push({ protected: protectedHeader, signature });
      }
      return { ...view, signatures };
    },
  };
};
