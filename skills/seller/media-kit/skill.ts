import { defineOperation } from "../../../protocol/seam/operation.ts";
import { emptyPage } from "../../../protocol/seam/paging.ts";
import { isRefusal, missing } from "../../../protocol/neutral/refusals.ts";
import { readPackages } from "../packages/pages.ts";
import { type PackageFilter, packageKind } from "../packages/record.ts";
import { audienceFilter, packageFilter } from "../packages/rules.ts";
import { isVisible } from "../packages/sold.ts";
import { packageView, publicView, seesDetail } from "../packages/view.ts";
import * as contract from "./contract.ts";
import { searchPackages } from "./search-index.ts";
import type { SellerContext } from "../context.ts";

const active = (featured: boolean): PackageFilter => ({ status: "active", layer: null, featured, audience: null });

export const getMediaKit = defineOperation(contract.getMediaKit, async (context: SellerContext, input) => {
  const all = await readPackages(context, active(false), input);
  const featured = await readPackages(context, active(true), { limit: input.limit, offset: 0 });
  return {
    output: {
      seller_name: context.ports.settings.sellerName,
      total_packages: all.page.total,
      featured_count: featured.page.total,
      featured: featured.rows.map(({ body }) => publicView(body)),
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
    const { rows, page } = filter === "nothing" ? emptyPage : await readPackages(context, filter, input);
    return { output: { packages: rows.map(({ body }) => publicView(body)), ...page } };
  },
);

export const getMediaKitPackage = defineOperation(
  contract.getMediaKitPackage,
  async (context: SellerContext, input) => {
    const loaded = await context.load(packageKind, input.package_id);
    const isShown = loaded?.body.status === "active" && isVisible(context, loaded.body);
    return isShown ? { output: publicView(loaded.body) } : missing("package_not_found", input.package_id);
  },
);

export const searchMediaKit = defineOperation(contract.searchMediaKit, async (context: SellerContext, input) => {
  const audience = audienceFilter(context, input.audience_filter ?? {});
  if (audience !== null && audience !== "nothing" && "refused" in audience) return audience;
  const search = { query: input.query, detail: seesDetail(context) };
  const matching = audience === "nothing" ? [] : await searchPackages(context, { ...search, audience });
  const found = matching.filter((row) => isVisible(context, row));
  const shown = found.slice(input.offset, input.offset + input.limit);
  return {
    output: { results: shown.map((row) => packageView(context, row)), total: found.length, count: shown.length },
  };
});
