import { defaultProducts } from "../../../agents/seller/catalog/default-products.ts";
import { accountKind, type AccountRow } from "../../../skills/seller/accounts/record.ts";
import { creativeKind, type CreativeRow } from "../../../skills/seller/creatives/record.ts";
import { mediaBuyKind, type MediaBuyRow } from "../../../skills/seller/media-buys/record.ts";
import type { ListSide } from "../seller-side.ts";
import { type Listed, listedProducts, listedRows, newest } from "./listed.ts";

const acme = { brand_domain: "acme.example", operator: "agency.example" };
const [firstProduct] = defaultProducts;
const productId = firstProduct?.product_id ?? "";

const firstBuy = async ({ call, store }: ListSide): Promise<MediaBuyRow> => {
  await call("book_media_buy", {
    account: acme,
    brand_domain: "acme.example",
    start_time: "2037-03-01T00:00:00Z",
    end_time: "2037-03-31T00:00:00Z",
    packages: [{ offer_id: productId, budget: 5_000 }],
  });
  return newest(store, mediaBuyKind);
};

const buyFilters = {
  media_buy_ids: { common: ["row-00000002", "row-00000003"], rare: ["row-00000001"] },
  statuses: { common: ["pending_creatives"], rare: ["rejected"] },
  account: { common: acme, rare: { account_id: "acc-rare" } },
};

/** Each buy of the page reads its packages' orders, which all rows share here. */
const buysWith = (more: Listed["filters"]): Listed =>
  listedRows<MediaBuyRow>(mediaBuyKind, {
    filters: { ...buyFilters, ...more },
    first: firstBuy,
    like: (row, id, isRare) => ({
      ...row,
      media_buy_id: id,
      life: isRare ? { ...row.life, value: "rejected" } : row.life,
    }),
  });

const accounts = listedRows<AccountRow>(accountKind, {
  filters: { status: { common: "active", rare: "closed" }, sandbox: { common: false, rare: true } },
  first: async ({ call, store }) => {
    await call("sync_accounts", { accounts: [{ ...acme, billing: "operator" }] });
    return newest(store, accountKind);
  },
  like: (row, id, isRare) => ({ ...row, account_id: id, status: isRare ? "closed" : "active", sandbox: isRare }),
});

const creatives = listedRows<CreativeRow>(creativeKind, {
  filters: {
    creative_ids: { common: ["spot"], rare: ["none"] },
    statuses: { common: ["pending_review"], rare: ["rejected"] },
  },
  first: async ({ call, store }) => {
    const assets = { video: { asset_type: "video", url: "https://cdn.example/spot.mp4" } };
    await call("sync_creatives", {
      creatives: [{ creative_id: "spot", name: "Spot", format_id: "video_30s", assets }],
    });
    return newest(store, creativeKind);
  },
  like: (row, id, isRare) => ({
    ...row,
    creative_id: id,
    life: isRare ? { ...row.life, value: "rejected" } : row.life,
  }),
});

const offers = listedProducts(defaultProducts, {
  text: { common: "display", rare: "guaranteed ctv for sports" },
  offer_ids: { common: [productId], rare: ["none"] },
  deal_types: { common: ["PG"], rare: ["PA"] },
  inventory_types: { common: ["display"], rare: ["ctv"] },
  formats: { common: ["display_300x250"], rare: ["video_30s"] },
  flight_start: { common: "2037-03-01", rare: "2037-05-01" },
});

const formats = listedProducts(defaultProducts, {
  format_ids: { common: ["display_300x250"], rare: ["none"] },
  assets: { common: ["image"], rare: ["video"] },
  name: { common: "banner", rare: "video" },
});

export const mediaBuyRows: Readonly<Record<string, Listed>> = {
  list_accounts: accounts,
  list_creatives: creatives,
  list_creative_formats: formats,
  find_offers: offers,
  list_media_buys: buysWith({}),
  report_media_buys: buysWith({
    start_date: { common: "2037-01-01", rare: "2037-02-01" },
    end_date: { common: "2037-02-01", rare: "2037-02-02" },
    by_day: { common: false, rare: true },
  }),
};
