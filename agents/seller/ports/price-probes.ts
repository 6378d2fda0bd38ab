import type { PriceProbes, SellerSettings } from "../../../skills/seller/ports.ts";
import { createWindow } from "../../server/rate-limiter.ts";

/** Own prices an hour per buyer and product; a limit of 0 is none (decision 43). */
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
