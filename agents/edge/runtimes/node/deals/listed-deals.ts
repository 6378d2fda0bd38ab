import { z } from "zod";
import type { SellerDeal } from "../../../platform.ts";

const name = z.string().min(1).max(128);
const day = z.string().regex(/^\d{4}-\d{2}-\d{2}$/);

const listed = z.object({
  deal_id: name,
  deal_type: z.enum(["PG", "PD", "PA"]),
  status: z.literal("active"),
  sandbox: z.boolean().default(false),
  product: z.object({ product_id: name }),
  terms: z.object({ impressions: z.int().min(1).nullish(), flight_start: day, flight_end: day }),
  openrtb_params: z.object({
    id: name,
    bidfloor: z.number().min(0),
    bidfloorcur: z.string().regex(/^[A-Z]{3}$/),
    at: z.literal([1, 2, 3]),
    wseat: z.array(name).max(128).default([]),
    wadomain: z.array(z.string().min(1).max(255)).max(128).default([]),
  }),
  delivered_impressions: z.int().min(0).default(0),
});

export const listedPage = z.object({
  deals: z.array(z.unknown()).max(500),
  next_cursor: z.string().max(64).nullish(),
});

const dayMs = 86_400_000;

/** `null`: no active deal of this form, one of a sandbox, or one whose OpenRTB parameters name another deal. */
export const readListedDeal = (value: unknown, takesSandbox: boolean): SellerDeal | null => {
  const parsed = listed.safeParse(value);
  if (!parsed.success || (parsed.data.sandbox && !takesSandbox)) return null;
  const { deal_id: id, deal_type: type, product, terms, openrtb_params: params, delivered_impressions } = parsed.data;
  const startMs = Date.parse(`${terms.flight_start}T00:00:00Z`);
  const endMs = Date.parse(`${terms.flight_end}T00:00:00Z`) + dayMs;
  if (params.id !== id || !(startMs < endMs)) return null;
  const { bidfloor, bidfloorcur, at, wseat, wadomain } = params;
  return {
    id,
    type,
    productId: product.product_id,
    bidfloor,
    bidfloorcur,
    at,
    wseat,
    wadomain,
    impressions: terms.impressions ?? null,
    startMs,
    endMs,
    delivered: delivered_impressions,
  };
};
