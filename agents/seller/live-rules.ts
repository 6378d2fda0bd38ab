import {
  type SellingRules,
  sellingRulesId,
  sellingRulesKind,
  type SellingRulesRow,
} from "../../skills/seller/selling-rules/record.ts";
import { withRules } from "../../skills/seller/selling-rules/rules.ts";
import type { SellerSettings } from "../../skills/seller/settings.ts";
import type { Store } from "../../storage/store.ts";

export interface LiveRules {
  /** As they are at the moment: what people stored goes before what the agent was started with. */
  readonly settings: SellerSettings;
  /** Null while none are being read. */
  pending(): Promise<void> | null;
  stop(): void;
}

export const storedRules = async (store: Pick<Store, "get">): Promise<SellingRules> => {
  const row = await store.get(sellingRulesKind.name, sellingRulesId);
  return row === null ? {} : (row.body as SellingRulesRow).rules;
};

/** What people change is read anew at each use. */
const settingsOver = (start: SellerSettings, now: () => SellerSettings): SellerSettings => ({
  ...start,
  get sellerName() {
    return now().sellerName;
  },
  get publisherDomain() {
    return now().publisherDomain;
  },
  get approvalGate() {
    return now().approvalGate;
  },
  get approvalTimeoutHours() {
    return now().approvalTimeoutHours;
  },
  get quoteTtlSeconds() {
    return now().quoteTtlSeconds;
  },
  get dealProposalTtlDays() {
    return now().dealProposalTtlDays;
  },
  get pricing() {
    return now().pricing;
  },
  get negotiation() {
    return now().negotiation;
  },
});

/** Reads the rules at the start and whenever a process commits some; until then those that are known count. */
export const createLiveRules = (
  start: SellerSettings,
  store: Pick<Store, "get" | "watch">,
  known: SellingRules = {},
): LiveRules => {
  let current = withRules(start, known);
  let isLoaded = false;
  let reading: Promise<void> | null = null;
  const load = async (): Promise<void> => {
    current = withRules(start, await storedRules(store));
    isLoaded = true;
  };
  /** A store that cannot be read fails the next operation; the read is retried after it. */
  const read = (): void => {
    const begun = (reading ?? Promise.resolve()).then(load).catch(() => {
      isLoaded = false;
    });
    reading = begun;
    void begun.then(() => {
      if (reading === begun) reading = null;
    });
  };
  const stop = store.watch(sellingRulesKind.name, read);
  return {
    settings: settingsOver(start, () => current),
    pending: () => {
      if (!isLoaded && reading === null) read();
      return reading;
    },
    stop,
  };
};
