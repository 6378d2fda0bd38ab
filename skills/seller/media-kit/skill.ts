import { defineOperation } from "../../../protocol/seam/operation.ts";
import { emptyPage, readPage } from "../../../protocol/seam/paging.ts";
import { isRefusal, refuse } from "../../../protocol/neutral/refusals.ts";
import { packageKind, packageTerm } from "../packages/record.ts";
import { audienceFilter, packageFilter } from "../packages/rules.ts";
import { packageView, publicView, seesDetail } from "../packages/view.ts";
import * as contract from "./contract.ts";
import { searchPackages } from "./search-index.ts";
import type { SellerContext } from "../ports.ts";

const activeTerm = (featured: boolean): string =>
  packageTerm({ status: "active", layer: null, featured, audience: null });

export const getMediaKit = defineOperation(contract.getMediaKit, async (context: SellerContext, input) => {
  const all = await readPage(context, { kind: packageKind, term: activeTerm(false), order: "newest" }, input);
  const featured = await context.list(packageKind, { terms: [activeTerm(true)], order: "newest", limit: input.limit });
  return {
    output: {
      seller_name: context.ports.settings.sellerName,
      total_packages: all.page.total,
      featured_count: await context.count(packageKind, activeTerm(true)),
      featured: featured.map(({ body }) => publicView(body)),
      all_packages: all.rows.map(({ body }) => publicView(body)),
      ...all.page,
    },
  };
});

export const listMediaKitPackages = defineOperation(
  contract.listMediaKitPackages,
  async (context: SellerContext, input) => {
    const filter = packageFilter(context, input);
    if (filter !== "nothing" && isRefusal(filter)) return filter;
    const listing =
      filter === "nothing" ? null : { kind: packageKind, term: packageTerm(filter), order: "newest" as const };
    const { rows, page } = listing === null ? emptyPage : await readPage(context, listing, input);
    return { output: { packages: rows.map(({ body }) => publicView(body)), ...page } };
  },
);

export const getMediaKitPackage = defineOperation(
  contract.getMediaKitPackage,
  async (context: SellerContext, input) => {
    const loaded = await context.load(packageKind, input.package_id);
    return loaded?.body.status === "active" ? { output: publicView(loaded.body) } : refuse("package_not_found");
  },
);

export const searchMediaKit = defineOperation(contract.searchMediaKit, async (context: SellerContext, input) => {
  const audience = audienceFilter(context, input.audience_filter ?? {});
  if (audience !== null && audience !== "nothing" && "refused" in audience) return audience;
  const search = { query: input.query, detail: seesDetail(context) };
  const found = audience === "nothing" ? [] : await searchPackages(context, { ...search, audience });
  const shown = found.slice(input.offset, input.offset + input.limit);
  return {
    output: { results: shown.map((row) => packageView(context, row)), total: found.length, count: shown.length },
  };
});
