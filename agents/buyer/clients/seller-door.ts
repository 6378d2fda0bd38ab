import type { z } from "zod";
import { callContract, type Client, createClient } from "../../../protocol/client/client.ts";
import { type ClientResult, failureOf } from "../../../protocol/client/client-result.ts";
import { createDialectMemory, type SellerForm } from "../../../protocol/client/dialect-memory.ts";
import type { Outbound } from "../../../protocol/client/outbound.ts";
import type { Contract } from "../../../protocol/seam/operation.ts";
import type { Log } from "../../../protocol/seam/ports.ts";
import type { SellerAnswer, SellerCall, SellerCredential, SellerDoor } from "../../../skills/buyer/seller-door.ts";
import { originOf, readSellerAddress } from "../../../skills/buyer/seller-url.ts";

/** Null: the request goes out without a credential. */
export interface SellerCredentials {
  find(origin: string): Promise<SellerCredential | null>;
  /** Called for each 401, so that lists show that the key must be renewed. */
  refused(origin: string, key: string): Promise<void>;
}

export interface SellerDoorParts {
  readonly sellers: readonly string[];
  readonly credentials: SellerCredentials;
  readonly timeoutSeconds: number;
  readonly dialect: SellerForm | "auto";
  readonly outbound: Outbound;
  readonly log: Log;
  readonly pause?: Client["pause"] | undefined;
}

const answerOf = <T>(result: ClientResult<T>): SellerAnswer<T> =>
  result.ok ? { ok: true, value: result.output } : result;

export const createSellerDoor = (parts: SellerDoorParts): SellerDoor => {
  const { credentials, outbound, log, pause } = parts;
  const dialects = createDialectMemory(parts.dialect);
  const addresses = parts.sellers.map(readSellerAddress).filter((address) => address !== null);
  const more = { timeoutMs: parts.timeoutSeconds * 1000, dialects, ...(pause === undefined ? {} : { pause }) };

  const clientFor = (baseUrl: string, found: SellerCredential | null): Client => {
    const credential = found?.headerType === "bearer" ? { bearer: found.key } : { apiKey: found?.key ?? null };
    return createClient({ target: { baseUrl, ...credential }, outbound, log, ...more });
  };

  const call = async <I extends z.ZodType, O extends z.ZodType>(
    sellerUrl: string,
    contract: Contract<I, O>,
    input: z.input<I>,
    { key, signal, traceparent, requestId, mediaTypes, credential: given }: SellerCall,
  ): Promise<SellerAnswer<z.output<O>>> => {
    const address = readSellerAddress(sellerUrl);
    if (address === null) return failureOf(sellerUrl, 0, "invalid_request", "This is no http or https address.");
    const options = {
      requestId,
      ...(traceparent === null ? {} : { traceparent }),
      ...(key === undefined ? {} : { idempotencyKey: key }),
      ...(signal === undefined ? {} : { signal }),
      ...(mediaTypes === undefined ? {} : { mediaTypes }),
    };
    const origin = originOf(address.url);
    const credential = given === undefined ? await credentials.find(origin) : given;
    const answer = answerOf(await callContract(clientFor(address.url, credential), contract, input, options));
    if (!answer.ok && answer.needsReauth && credential !== null) {
      await credentials.refused(origin, credential.key);
    }
    return answer;
  };

  return { configured: [...new Set(addresses.map(({ url }) => url))], call };
};
