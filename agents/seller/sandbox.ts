import type { Catalog } from "../../skills/seller/products/catalog.ts";
import type { Product } from "../../skills/seller/products/record.ts";
import { testProduct } from "../../skills/seller/test-mode/skill.ts";
import { createCatalog } from "./catalog/catalog.ts";
import { defaultProducts } from "./catalog/default-products.ts";
import type { SellerConfig } from "./config.ts";

/** Two names of one mode: tests of AdCP run where nothing is sold, and nowhere else. */
export const withOneMode = (config: SellerConfig): SellerConfig => {
  const isSandbox = config.sandbox === "all" || config.testMode;
  return isSandbox ? { ...config, sandbox: "all", testMode: true } : config;
};

/** No ad server is asked, keys need no person, and what is worth much waits for an approval. */
export const sandboxConfig = (config: SellerConfig): SellerConfig => ({
  ...config,
  sandbox: "all",
  testMode: true,
  adServerType: "none",
  inventorySyncEnabled: false,
  requireApprovalForUnregistered: false,
  approvalGateEnabled: true,
  approvalFlows: ["proposal", "negotiation", "deal"],
  approvalAboveValue: 1_000_000,
});

/** Each answers in one way, which its name says. */
export const fixtureProducts: readonly Product[] = [
  testProduct("sandbox-sold-out", {
    name: "Sandbox: sold out",
    description: "A quote says that nothing is left, and its booking is refused for inventory.",
    deal_types: ["PG"],
    maximum_impressions: 1,
  }),
  testProduct("sandbox-unpriced", {
    name: "Sandbox: without a price",
    description: "Sold on request: it cannot be quoted.",
    base_cpm_micros: null,
  }),
  testProduct("sandbox-eur", {
    name: "Sandbox: in euros",
    description: "Its prices are in EUR; money in another currency is refused.",
    deal_types: ["PG", "PD"],
    currency: "EUR",
  }),
  testProduct("sandbox-minimum", {
    name: "Sandbox: large volumes only",
    description: "Sold from 1,000,000 impressions on; fewer are refused.",
    deal_types: ["PG", "PD"],
    minimum_impressions: 1_000_000,
  }),
];

/** Never the seller's own products: in price talk about them a buyer could learn how low the seller goes. */
export const sandboxCatalog = (): Catalog => createCatalog([...defaultProducts, ...fixtureProducts]);
