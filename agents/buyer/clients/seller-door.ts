import type { z } from "zod";
import { callContract, type Client, createClient, type Wire } from "../../../protocol/client/client.ts";
import { type ClientFailure, type ClientResult, failureOf } from "../../../protocol/client/client-result.ts";
import { createDialectMemory, type SellerForm } from "../../../protocol/client/dialect-memory.ts";
import { createA2aCards } from "../../../protocol/client/wires/a2a.ts";
import { createMcpSessions, endMcpSessions } from "../../../protocol/client/wires/mcp.ts";
import { createKept } from "../../../protocol/client/wires/spoken.ts";
import type { Outbound } from "../../../protocol/client/outbound.ts";
import { type AllowList, judgeTarget } from "../../../protocol/neutral/address-guard.ts";
import type { Contract } from "../../../protocol/seam/operation.ts";
import type { Log } from "../../../protocol/seam/ports.ts";
import type { SellerCallResult, SellerCall, SellerCredential, SellerDoor } from "../../../skills/buyer/seller-door.ts";
import { adcpGroup, isAdcpWire } from "../../../skills/buyer/adcp-tasks.ts";
import { originOf, readSellerAddress, type SellerAddress } from "../../../skills/buyer/seller-url.ts";

/** When it is null the request goes out without a credential. */
export interface SellerCredentials {
  find(origin: string): Promise<SellerCredential | null>;
  /** Called for each 401, so that lists show that the key must be renewed. */
  refused(origin: string, key: string): Promise<void>;
}

export interface SellerDoorParts {
  readonly sellers: readonly SellerAddress[];
  /** Those that people added since; read anew for each call. */
  readonly added?: () => readonly SellerAddress[];
  readonly credentials: SellerCredentials;
  readonly allow: AllowList;
  readonly timeoutSeconds: number;
  readonly dialect: SellerForm | "auto";
  readonly outbound: Outbound;
  readonly log: Log;
  readonly pause?: Client["pause"] | undefined;
}

const answerOf = <T>(result: ClientResult<T>): SellerCallResult<T> =>
  result.ok ? { ok: true, value: result.output } : result;

const absent = new Set([404, 405, 501]);

/** A server that does not speak the wire answers so; a refusal of an operation may look the same. */
const mayNotSpeak = ({ status, code }: ClientFailure): boolean => absent.has(status) || code === "invalid_response";

const noAddress = (sellerUrl: string): ClientFailure =>
  failureOf(sellerUrl, 0, "invalid_request", "This is no http or https address.");

const otherTasks = (sellerUrl: string): ClientFailure =>
  failureOf(sellerUrl, 501, "not_offered", "The seller speaks AdCP: only a booking buys from it.");

const judgedBy = (allow: AllowList, sellerUrl: string, address: SellerAddress | null): ClientFailure | null => {
  if (address === null) return noAddress(sellerUrl);
  if (judgeTarget(address.url, allow) !== "refused") return null;
  return failureOf(address.url, 0, "target_not_allowed", "The address is not a permitted public target.");
};

const otherWires: readonly Wire[] = ["mcp", "a2a"];

export interface OpenSellerDoor extends SellerDoor {
  /** Ends the sessions at the sellers. */
  close(): Promise<void>;
}

/** Which wire each seller is asked over: as fixed, as added, or as found out. */
const createWires = (parts: SellerDoorParts) => {
  const pinned = new Map(parts.sellers.flatMap(({ url, wire }) => (wire === null ? [] : [[url, wire] as const])));
  const learnt = createKept<Wire>();
  const added = parts.added ?? (() => []);
  const wireOf = (sellerUrl: string): Wire | null =>
    pinned.get(sellerUrl) ?? added().find(({ url }) => url === sellerUrl)?.wire ?? null;

  /** REST first. Another wire is tried where the route is missing, until the seller has answered on one. */
  const onItsWire = async <T>(
    { url, wire }: SellerAddress,
    ask: (wire: Wire) => Promise<ClientResult<T>>,
  ): Promise<ClientResult<T>> => {
    const known = wire ?? wireOf(url) ?? learnt.get(url);
    if (known !== undefined) return ask(known);
    const first = await ask("rest");
    if (first.ok) learnt.set(url, "rest");
    if (first.ok || !mayNotSpeak(first)) return first;
    for (const other of otherWires) {
      const answer = await ask(other);
      if (answer.ok) learnt.set(url, other);
      if (answer.ok || !mayNotSpeak(answer)) return answer;
    }
    return first;
  };
  return { wireOf, onItsWire };
};

export const createSellerDoor = (parts: SellerDoorParts): OpenSellerDoor => {
  const { credentials, outbound, log, pause } = parts;
  const memories = {
    dialects: createDialectMemory(parts.dialect),
    sessions: createMcpSessions(),
    cards: createA2aCards(),
  };
  const more = { timeoutMs: parts.timeoutSeconds * 1000, ...memories, ...(pause === undefined ? {} : { pause }) };
  const { wireOf, onItsWire } = createWires(parts);
  const clientFor = (baseUrl: string, wire: Wire, found: SellerCredential | null): Client => {
    const isBearer = found?.headerType === "bearer" || isAdcpWire(wire);
    const credential = isBearer ? { bearer: found?.key ?? null } : { apiKey: found?.key ?? null };
    return createClient({ target: { baseUrl, ...credential }, wire, outbound, log, ...more });
  };

  const call = async <I extends z.ZodType, O extends z.ZodType>(
    sellerUrl: string,
    contract: Contract<I, O>,
    input: z.input<I>,
    { key, signal, traceparent, requestId, mediaTypes, credential: given, isOnce = false }: SellerCall,
  ): Promise<SellerCallResult<z.output<O>>> => {
    const address = readSellerAddress(sellerUrl);
    const refused = judgedBy(parts.allow, sellerUrl, address);
    if (address === null || refused !== null) return refused ?? noAddress(sellerUrl);
    const options = {
      requestId,
      isOnce,
      ...(traceparent === null ? {} : { traceparent }),
      ...(key === undefined ? {} : { idempotencyKey: key }),
      ...(signal === undefined ? {} : { signal }),
      ...(mediaTypes === undefined ? {} : { mediaTypes }),
    };
    const origin = originOf(address.url);
    const credential = given === undefined ? await credentials.find(origin) : given;
    const ask = async (wire: Wire): Promise<ClientResult<z.output<O>>> => {
      if (isAdcpWire(wire) !== (contract.group === adcpGroup)) return otherTasks(address.url);
      return callContract(clientFor(address.url, wire, credential), contract, input, options);
    };
    const answer = answerOf(await onItsWire(address, ask));
    if (!answer.ok && answer.needsReauth && credential !== null) {
      await credentials.refused(origin, credential.key);
    }
    return answer;
  };

  const judge = (sellerUrl: string) => judgedBy(parts.allow, sellerUrl, readSellerAddress(sellerUrl));
  return {
    get configured() {
      return [...new Set([...parts.sellers, ...(parts.added?.() ?? [])].map(({ url }) => url))];
    },
    isFixed: (sellerUrl) => parts.sellers.some(({ url }) => url === sellerUrl),
    wireOf,
    judge,
    call,
    close: () => endMcpSessions(memories.sessions),
  };
};
