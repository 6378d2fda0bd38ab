import type { TargetGuard } from "../../protocol/neutral/address-guard.ts";
import type { KeyUses } from "../../protocol/seam/key-use.ts";
import type { Context } from "../../protocol/seam/operation.ts";
import type { Store, StoreReader } from "../../storage/store.ts";
import type { AuditPorts } from "../audit/ports.ts";
import type { DayCounter } from "./oversight/day-counts.ts";
import type { AdServer } from "./packages/ad-server.ts";
import type { PriceProbes } from "./pricing/price-probes.ts";
import type { Catalog } from "./products/catalog.ts";
import type { AgentLookup } from "./registry/agent-lookup.ts";
import type { SellerSettings } from "./settings.ts";
import type { Fixtures } from "./test-mode/fixtures.ts";

export interface SellerPorts extends AuditPorts {
  /** As they are now. */
  readonly settings: SellerSettings;
  /** As the agent was started, before what people stored. */
  readonly startSettings: SellerSettings;
  readonly catalog: Catalog;
  readonly probes: PriceProbes;
  readonly keyUses: KeyUses;
  readonly dayCounts: DayCounter;
  readonly agents: AgentLookup;
  readonly targets: TargetGuard;
  /** Null: sample packages stand in. */
  readonly adServer: AdServer | null;
  readonly store: StoreReader & Pick<Store, "failure">;
  /** Null: no test mode. */
  readonly fixtures: Fixtures | null;
}

export type SellerContext = Context<SellerPorts>;
