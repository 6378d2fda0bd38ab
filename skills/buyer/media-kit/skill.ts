import { z } from "zod";
import { defineContract, defineOperation, type LogLine } from "../../../protocol/seam/operation.ts";
import { refuse } from "../../../protocol/neutral/refusals.ts";
import * as seller from "../../seller/media-kit/contract.ts";
import type { BuyerContext } from "../ports.ts";
import type { SellerCallResult, SellerCallFailure } from "../seller-door.ts";
import { callFrom, failureView, sellerRefusal, sellerUrlOf } from "../seller-refusal.ts";
import * as contract from "./contract.ts";
import { openKitSearch, packageItems as items, packageOf, packagesOf, type PackageView } from "./packages.ts";

/** Items are read one by one. */
const kitAnswer = defineContract({
  ...seller.getMediaKit,
  output: z.looseObject({
    seller_name: z.string().catch("").default(""),
    total_packages: z.int().nullish().catch(null),
    featured: items,
    all_packages: items,
  }),
});
const listAnswer = defineContract({ ...seller.listMediaKitPackages, output: z.looseObject({ packages: items }) });
const oneAnswer = defineContract({ ...seller.getMediaKitPackage, output: z.unknown() });

/** The page limit of a Parley seller. */
const pageLimit = 500;

const readKit = async (context: BuyerContext, url: string) => {
  const answer = await context.ports.sellers.call(url, kitAnswer, { limit: pageLimit }, callFrom(context));
  if (!answer.ok) return answer;
  const all_packages = packagesOf(answer.value.all_packages, url);
  const value = {
    seller_url: url,
    seller_name: answer.value.seller_name.slice(0, 255),
    total_packages: answer.value.total_packages ?? all_packages.length,
    featured: packagesOf(answer.value.featured, url),
    all_packages,
  };
  return { ok: true as const, value };
};

type Kit = Extract<Awaited<ReturnType<typeof readKit>>, { ok: true }>["value"];

export const getSellerMediaKit = defineOperation(contract.getSellerMediaKit, async (context: BuyerContext, input) => {
  const kit = await readKit(context, sellerUrlOf(input.seller_url));
  return kit.ok ? { output: kit.value } : sellerRefusal(kit);
});

const askedSellers = (context: BuyerContext, given: readonly string[]): readonly string[] =>
  given.length === 0 ? context.ports.sellers.configured : [...new Set(given.map(sellerUrlOf))];

const leftOut = (url: string, { status, code }: SellerCallFailure): LogLine => ({
  level: "warn",
  fields: { seller: url, status, code },
  message: "a seller's media kit was left out",
});

export const listSellerPackages = defineOperation(contract.listSellerPackages, async (context: BuyerContext, input) => {
  const { layer, featured_only } = input;
  const query = {
    limit: pageLimit,
    ...(layer == null ? {} : { layer }),
    ...(featured_only ? { featured_only } : {}),
  };
  const answers = await Promise.all(
    askedSellers(context, input.seller_urls).map(async (url) => {
      return { url, answer: await context.ports.sellers.call(url, listAnswer, query, callFrom(context)) };
    }),
  );
  const packages = answers.flatMap(({ url, answer }) => (answer.ok ? packagesOf(answer.value.packages, url) : []));
  const failures = answers.flatMap(({ url, answer }) => (answer.ok ? [] : [{ url, answer }]));
  const warnings = failures.map(({ url, answer }) => failureView(url, answer));
  const log = failures.map(({ url, answer }) => leftOut(url, answer));
  return { output: { packages, total: packages.length, warnings }, log };
});

export const getSellerPackage = defineOperation(contract.getSellerPackage, async (context: BuyerContext, input) => {
  const url = sellerUrlOf(input.seller_url);
  const { package_id } = input;
  const answer = await context.ports.sellers.call(url, oneAnswer, { package_id }, callFrom(context));
  if (!answer.ok) return sellerRefusal(answer, "package_not_found");
  const found = packageOf(answer.value, url);
  if (found !== null) return { output: found };
  return refuse("seller_error", { message: "The seller's answer is no package.", extras: { seller_url: url } });
});

export const searchSellerMediaKit = defineOperation(
  contract.searchSellerMediaKit,
  async (context: BuyerContext, input) => {
    const url = sellerUrlOf(input.seller_url);
    const answer = await context.ports.sellers.call(url, openKitSearch, { query: input.query }, callFrom(context));
    if (!answer.ok) return sellerRefusal(answer);
    const packages = packagesOf(answer.value.results, url);
    return { output: { seller_url: url, packages, total: packages.length } };
  },
);

const formatsOf = (packages: readonly PackageView[]): string[] =>
  [...new Set(packages.flatMap(({ ad_formats }) => ad_formats))].toSorted();

const comparedView = (url: string, kit: SellerCallResult<Kit>) => {
  if (!kit.ok) {
    return { ...failureView(url, kit), seller_name: null, total_packages: 0, ad_formats: [], packages: [] };
  }
  const { seller_name, total_packages, all_packages } = kit.value;
  const packages = all_packages.map(({ package_id, name, price_range, ad_formats, rate_type }) => {
    return { package_id, name, price_range, ad_formats, rate_type };
  });
  const ad_formats = formatsOf(all_packages);
  return { seller_url: url, seller_name, total_packages, ad_formats, packages, error: null, status_code: null };
};

export const compareSellers = defineOperation(contract.compareSellers, async (context: BuyerContext, input) => {
  const urls = askedSellers(context, input.seller_urls);
  const sellers = await Promise.all(urls.map(async (url) => comparedView(url, await readKit(context, url))));
  const reachable = sellers.filter(({ error }) => error === null).length;
  return {
    output: {
      sellers_compared: sellers.length,
      sellers,
      summary: {
        total_packages_across_sellers: sellers.reduce((sum, { total_packages }) => sum + total_packages, 0),
        all_ad_formats: [...new Set(sellers.flatMap(({ ad_formats }) => ad_formats))].toSorted(),
        sellers_reachable: reachable,
        sellers_unreachable: sellers.length - reachable,
      },
    },
  };
});
