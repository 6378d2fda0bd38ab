import type { Catalog } from "../../skills/seller/products/catalog.ts";
import { createCatalog } from "./catalog/catalog.ts";
import { defaultProducts } from "./catalog/default-products.ts";
import type { SellerConfig } from "./config.ts";

/** No ad server is asked, keys need no person, and a test may put states in. */
export const sandboxConfig = (config: SellerConfig): SellerConfig => ({
  ...config,
  sandbox: "all",
  testMode: true,
  adServerType: "none",
  inventorySyncEnabled: false,
  requireApprovalForUnregistered: false,
});

/** Never the seller's own products: in price talk about them a buyer could learn how low the seller goes. */
export const sandboxCatalog = (): Catalog => createCatalog(defaultProducts);
