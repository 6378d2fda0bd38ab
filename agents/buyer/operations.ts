import { type Operation, operationsOf } from "../../protocol/seam/operation.ts";
import * as audience from "../../skills/buyer/audience/skill.ts";
import * as approvals from "../../skills/buyer/booking-approvals/skill.ts";
import * as bookings from "../../skills/buyer/bookings/skill.ts";
import * as activity from "../../skills/buyer/activity/skill.ts";
import * as operatorKeys from "../../skills/buyer/operator-keys/skill.ts";
import * as caller from "../../skills/buyer/caller/skill.ts";
import * as events from "../../skills/buyer/events/skill.ts";
import * as mediaKit from "../../skills/buyer/media-kit/skill.ts";
import * as oversight from "../../skills/buyer/oversight/skill.ts";
import type { BuyerPorts } from "../../skills/buyer/ports.ts";
import * as productSearch from "../../skills/buyer/product-search/skill.ts";
import * as registry from "../../skills/buyer/registry/skill.ts";
import * as sellerDeals from "../../skills/buyer/seller-deals/skill.ts";
import * as sellerKeys from "../../skills/buyer/seller-keys/skill.ts";
import * as sellerSessions from "../../skills/buyer/seller-sessions/skill.ts";
import * as setup from "../../skills/buyer/setup/skill.ts";

/** Cards, tool lists and documents keep this order. */
const groups: readonly Readonly<Record<string, Operation<BuyerPorts>>>[] = [
  bookings,
  approvals,
  audience,
  productSearch,
  sellerDeals,
  activity,
  mediaKit,
  sellerSessions,
  registry,
  sellerKeys,
  events,
  oversight,
  operatorKeys,
  setup,
  caller,
];

export const buyerOperations: readonly Operation<BuyerPorts>[] = operationsOf(groups);
