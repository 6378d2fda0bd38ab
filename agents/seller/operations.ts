import { type Operation, operationsOf } from "../../protocol/seam/operation.ts";
import * as accounts from "../../skills/seller/accounts/skill.ts";
import * as apiKeys from "../../skills/seller/api-keys/skill.ts";
import * as approvals from "../../skills/seller/approvals/skill.ts";
import * as buyerMoves from "../../skills/seller/buyer-moves/skill.ts";
import * as buyers from "../../skills/seller/buyers/skill.ts";
import * as caller from "../../skills/seller/caller/skill.ts";
import * as changeRequests from "../../skills/seller/change-requests/skill.ts";
import * as avails from "../../skills/seller/avails/skill.ts";
import * as conversations from "../../skills/seller/conversations/skill.ts";
import * as creatives from "../../skills/seller/creatives/skill.ts";
import * as deals from "../../skills/seller/deals/skill.ts";
import * as delivery from "../../skills/seller/delivery/skill.ts";
import * as desk from "../../skills/seller/desk/skill.ts";
import * as discovery from "../../skills/seller/discovery/skill.ts";
import * as handovers from "../../skills/seller/handovers/skill.ts";
import * as mediaBuys from "../../skills/seller/media-buys/skill.ts";
import * as mediaKit from "../../skills/seller/media-kit/skill.ts";
import * as events from "../../skills/seller/events/skill.ts";
import * as negotiation from "../../skills/seller/negotiation/skill.ts";
import * as orders from "../../skills/seller/orders/skill.ts";
import * as oversight from "../../skills/seller/oversight/skill.ts";
import * as packages from "../../skills/seller/packages/skill.ts";
import * as plans from "../../skills/seller/plans/skill.ts";
import * as portfolio from "../../skills/seller/portfolio/skill.ts";
import type { SellerPorts } from "../../skills/seller/context.ts";
import * as pricing from "../../skills/seller/pricing/skill.ts";
import * as productChanges from "../../skills/seller/product-changes/skill.ts";
import * as products from "../../skills/seller/products/skill.ts";
import * as proposals from "../../skills/seller/proposals/skill.ts";
import * as rateCard from "../../skills/seller/rate-card/skill.ts";
import * as registry from "../../skills/seller/registry/skill.ts";
import * as search from "../../skills/seller/search/skill.ts";
import * as sellingRules from "../../skills/seller/selling-rules/skill.ts";
import * as sessions from "../../skills/seller/sessions/skill.ts";
import * as setup from "../../skills/seller/setup/skill.ts";
import * as webhooks from "../../skills/seller/webhooks/skill.ts";

/** The order of cards, tool lists and documents. */
const groups: readonly Readonly<Record<string, Operation<SellerPorts>>>[] = [
  products,
  avails,
  discovery,
  pricing,
  plans,
  proposals,
  negotiation,
  sessions,
  handovers,
  conversations,
  deals,
  portfolio,
  delivery,
  buyerMoves,
  orders,
  mediaBuys,
  accounts,
  creatives,
  changeRequests,
  approvals,
  desk,
  buyers,
  mediaKit,
  packages,
  productChanges,
  rateCard,
  sellingRules,
  setup,
  caller,
  apiKeys,
  registry,
  events,
  oversight,
  search,
  webhooks,
];

export const sellerOperations: readonly Operation<SellerPorts>[] = operationsOf(groups);
