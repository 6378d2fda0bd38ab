import { z } from "zod";
import { fieldRefusal } from "../../../protocol/neutral/validation.ts";
import { create, remove } from "../../../protocol/seam/changes.ts";
import { defineContract, defineOperation } from "../../../protocol/seam/operation.ts";
import { getCaller } from "../../seller/caller/contract.ts";
import { getAdcpCapabilities, isAdcpWire, servedVersion } from "../adcp-tasks.ts";
import { openListing } from "../catalog.ts";
import type { BuyerContext } from "../ports.ts";
import { maskedKey, sellerKeyKind } from "../seller-keys/record.ts";
import { callFrom, catalogRefusal, sellerUrlOf } from "../seller-refusal.ts";
import { originOf, readSellerAddress } from "../seller-url.ts";
import * as contract from "./contract.ts";
import { addedSellerKind } from "./record.ts";

export const discoverSellers = defineOperation(contract.discoverSellers, async (context: BuyerContext, input) => {
  const sellers = await context.ports.registry.discover(input.capabilities);
  return { output: { sellers: [...sellers], total: sellers.length } };
});

export const getSellerCard = defineOperation(contract.getSellerCard, async (context: BuyerContext, input) => {
  return { output: { card: await context.ports.registry.fetchCard(sellerUrlOf(input.seller_url)) } };
});

export const verifySeller = defineOperation(contract.verifySeller, async (context: BuyerContext, input) => {
  return { output: await context.ports.registry.verify(sellerUrlOf(input.seller_url)) };
});

export const registerBuyer = defineOperation(contract.registerBuyer, async (context: BuyerContext) => {
  const { registry, agentUrl } = context.ports;
  const card = {
    agent_id: agentUrl,
    name: "Ad Buyer Agent",
    url: agentUrl,
    protocols: ["opendirect-2.1", "a2a"],
    capabilities: [{ name: "media-buying", description: "Books campaigns across sellers.", tags: ["buyer"] }],
    trust_level: "unknown" as const,
  };
  const isTaken = context.dryRun ? false : await registry.register(card);
  return { output: { registered: isTaken, agent_url: agentUrl } };
});

/** Sellers of other makers have no such operation. */
const asksTier = defineContract({ ...getCaller, output: z.looseObject({ tier: z.string().max(50).nullish() }) });

/** How a seller of AdCP answers now. */
const adcpStanding = async (context: BuyerContext, url: string, over: "MCP" | "A2A") => {
  const { registry, sellers } = context.ports;
  const [card, answer] = await Promise.all([
    over === "A2A" ? registry.fetchCard(url) : null,
    sellers.call(url, getAdcpCapabilities, { adcp_major_version: 3 }, callFrom(context)),
  ]);
  const version = answer.ok ? servedVersion(answer.value.adcp?.supported_versions) : null;
  const protocols = [version === null ? `AdCP over ${over}` : `AdCP ${version} over ${over}`];
  return { card, protocols, adcp_version: version, answer, tier: null };
};

const parleyStanding = async (context: BuyerContext, url: string) => {
  const { registry, sellers } = context.ports;
  const [card, answer, caller] = await Promise.all([
    registry.fetchCard(url),
    sellers.call(url, openListing, { limit: 1, offset: 0 }, callFrom(context)),
    sellers.call(url, asksTier, {}, callFrom(context)),
  ]);
  const tier = caller.ok ? (caller.value.tier ?? null) : null;
  return { card, protocols: card?.protocols ?? [], adcp_version: null, answer, tier };
};

const sellerView = async (context: BuyerContext, url: string) => {
  const { registry, sellers, configuredKeys } = context.ports;
  const wire = sellers.wireOf(url);
  const [{ answer, card, ...standing }, trust, stored] = await Promise.all([
    isAdcpWire(wire) ? adcpStanding(context, url, wire === "adcp-a2a" ? "A2A" : "MCP") : parleyStanding(context, url),
    registry.verify(url),
    context.load(sellerKeyKind, originOf(url)),
  ]);
  const configured = configuredKeys.get(originOf(url));
  return {
    url,
    source: sellers.isFixed(url) ? ("configured" as const) : ("added" as const),
    name: card?.name ?? null,
    ...standing,
    reachable: answer.ok,
    trust_level: trust.trust_level,
    key_hint: stored?.body.masked ?? (configured === undefined ? null : maskedKey(configured.key)),
    needs_reauth: stored?.body.needs_reauth ?? false,
    last_error: answer.ok ? null : `${answer.code}: ${answer.detail}`,
  };
};

export const listSellers = defineOperation(contract.listSellers, async (context: BuyerContext) => {
  const { configured } = context.ports.sellers;
  const sellers = await Promise.all(configured.map((url) => sellerView(context, url)));
  return { output: { sellers, total: sellers.length } };
});

interface AcquiredKey {
  readonly masked_key: string | null;
  readonly key_error: string | null;
}

const noKey: AcquiredKey = { masked_key: null, key_error: null };

/** A commit of its own, so that a key which the seller has given is kept whatever follows. */
const acquiredKey = async (context: BuyerContext, url: string): Promise<AcquiredKey> => {
  const outcome = await context.call("acquire_seller_key", { seller_url: url });
  if (outcome.kind === "refused")
    return { masked_key: null, key_error: outcome.refusal.message ?? outcome.refusal.code };
  const { masked_key } = (outcome.kind === "done" ? outcome.output : noKey) as Pick<AcquiredKey, "masked_key">;
  return { masked_key, key_error: null };
};

/** It answers, and shows nothing to whom it does not know. */
const asksForKey = new Set([401, 403]);

export const addSeller = defineOperation(contract.addSeller, async (context: BuyerContext, input) => {
  const { registry, sellers } = context.ports;
  const address = readSellerAddress(input.seller_url);
  if (address === null || isAdcpWire(address.wire)) {
    return fieldRefusal("seller_url", "A seller of AdCP is named in SELLER_ENDPOINTS, beside the brand that it needs.");
  }
  const { url, wire } = address;
  const [standing, trust] = await Promise.all([parleyStanding(context, url), registry.verify(url)]);
  const { answer } = standing;
  if (!answer.ok && !asksForKey.has(answer.status)) return catalogRefusal(answer);
  const isKnown = sellers.configured.includes(url);
  const isAsked = input.acquire_key && !isKnown && !context.dryRun;
  const key = isAsked ? await acquiredKey(context, url) : noKey;
  const row = { seller_url: url, wire, added_by: context.caller.keyId, added_at_ms: context.nowMs };
  const output = {
    seller_url: url,
    added: !isKnown,
    card: standing.card,
    trust,
    protocols: standing.protocols,
    reachable: answer.ok,
    tier: standing.tier,
    ...key,
  };
  return { output, ...(isKnown ? {} : { changes: [create(addedSellerKind, url, row)] }) };
});

export const removeSeller = defineOperation(contract.removeSeller, async (context: BuyerContext, input) => {
  const url = sellerUrlOf(input.seller_url);
  if (context.ports.sellers.isFixed(url)) {
    return fieldRefusal(
      "seller_url",
      "This seller stands in SELLER_ENDPOINTS: whoever runs this agent takes it out there.",
    );
  }
  const loaded = await context.load(addedSellerKind, url);
  const changes = loaded === null ? {} : { changes: [remove(addedSellerKind, loaded)] };
  return { output: { seller_url: url, removed: loaded !== null }, ...changes };
});
