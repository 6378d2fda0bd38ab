import type { PriceProbes } from "../../../skills/seller/pricing/price-probes.ts";
import type { SellerSettings } from "../../../skills/seller/settings.ts";
import { createWindow } from "../../server/rate-limiter.ts";

/** Counter-offers an hour per buyer and product; 0: no limit. */
export const createPriceProbes = (settings: Pick<SellerSettings, "priceProbeLimit">): PriceProbes => {
  const window = settings.priceProbeLimit === 0 ? null : createWindow(settings.priceProbeLimit, 3600);
  return {
    take: async (buyer, productId) => {
      if (window === null) return { allowed: true, retryAfterSeconds: 0 };
      const state = await window.take(JSON.stringify([buyer, productId]));
      return { allowed: state.allowed, retryAfterSeconds: state.resetSeconds };
    },
  };
};
