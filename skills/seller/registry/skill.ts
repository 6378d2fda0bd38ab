import { trustSetTo } from "../../../machines/trust/machine.ts";
import { isOperator } from "../../../protocol/seam/caller.ts";
import { remove, update } from "../../../protocol/seam/changes.ts";
import { defineOperation, type Loaded } from "../../../protocol/seam/operation.ts";
import { emptyPage, readPage } from "../../../protocol/seam/paging.ts";
import { isRefusal, type Refusal, refuse, missing } from "../../../protocol/neutral/refusals.ts";
import { fieldRefusal } from "../../../protocol/neutral/validation.ts";
import { agentAddressKind, agentKind, type AgentRow, agentsTerm, agentTerm } from "./record.ts";
import { sha256Hex } from "../ids.ts";
import { normalisedUrl } from "./agent-url.ts";
import * as contract from "./contract.ts";
import { type AgentAtUrl, agentAtUrl } from "./by-url.ts";
import { customPricesAfter } from "./custom-prices.ts";
import { discovered, knownAgent } from "./discovery.ts";
import { agentEvent } from "./events.ts";
import { accessTierOf, agentView, customPricesView } from "./view.ts";
import type { SellerContext } from "../context.ts";

/** The one record of the registry that is a buyer's own. */
const boundAgent = async (context: SellerContext): Promise<Loaded<AgentRow> | null> => {
  const url = normalisedUrl(context.caller.boundAgentUrl ?? "");
  if (url === null) return null;
  const found = await context.list(agentKind, { terms: [agentTerm(url)], order: "oldest", limit: 1 });
  return found[0] ?? null;
};

export const listBuyerAgents = defineOperation(contract.listBuyerAgents, async (context: SellerContext, input) => {
  const filter = { type: input.agent_type ?? null, status: input.trust_status ?? null };
  if (isOperator(context.caller)) {
    const listing = { kind: agentKind, term: agentsTerm(filter), order: "newest" } as const;
    const { rows, page } = await readPage(context, listing, input);
    return { output: { agents: rows.map(({ body }) => agentView(body, true)), ...page } };
  }
  const own = (await boundAgent(context))?.body ?? null;
  const fits =
    own !== null &&
    (filter.type === null || own.agent_type === filter.type) &&
    (filter.status === null || own.trust_status === filter.status);
  if (!fits) return { output: { agents: [], ...emptyPage.page } };
  const isOnPage = input.cursor == null && input.offset === 0;
  const agents = isOnPage ? [agentView(own, false)] : [];
  return { output: { agents, total: 1, count: agents.length, next_cursor: null } };
});

export const getBuyerAgent = defineOperation(contract.getBuyerAgent, async (context: SellerContext, input) => {
  const forOperator = isOperator(context.caller);
  const loaded = forOperator
    ? await context.own(agentKind, input.agent_id, "agent_not_found")
    : await boundAgent(context);
  if (loaded === null || loaded.id !== input.agent_id) return missing("agent_not_found", input.agent_id);
  return { output: agentView(loaded.body, forOperator) };
});

/** After a lost race the handler runs again and returns the stored agent, so that nothing is fetched twice. */
export const registerBuyerAgent = defineOperation(
  contract.registerBuyerAgent,
  async (context: SellerContext, input) => {
    const url = normalisedUrl(input.agent_url);
    if (url === null) return refuse("target_not_allowed");
    const address = await context.load(agentAddressKind, sha256Hex(url));
    const known = address === null ? null : await context.load(agentKind, address.body.agent_id);
    const found = known === null ? await discovered(context, url) : await knownAgent(context, known);
    if ("refused" in found) return found;
    const tier = accessTierOf(found.row, context.ports.settings);
    return {
      output: { agent: agentView(found.row, true), max_access_tier: tier, is_blocked: tier === null },
      changes: found.changes,
      events: found.events,
    };
  },
);

const namedAgent = async (
  context: SellerContext,
  { agent_id: id, agent_url: named }: { readonly agent_id?: string | null | undefined; readonly agent_url?: unknown },
): Promise<Omit<AgentAtUrl, "isKnown"> | Refusal> => {
  if (id != null) {
    const loaded = await context.own(agentKind, id, "agent_not_found");
    return { before: loaded.body, write: (row) => [update(agentKind, loaded, row)] };
  }
  const url = typeof named === "string" ? normalisedUrl(named) : null;
  if (url === null) return fieldRefusal("agent_url", "Send agent_id, or agent_url for an agent that has no id yet.");
  return agentAtUrl(context, url);
};

export const setAgentTrust = defineOperation(contract.setAgentTrust, async (context: SellerContext, input) => {
  const named = await namedAgent(context, input);
  if (isRefusal(named)) return named;
  const { before, write } = named;
  const life = trustSetTo({ value: before.trust_status, context: {} }, input.trust_status, context.nowMs);
  const prices = customPricesAfter(before, input, context.ports.catalog);
  if (isRefusal(prices)) return prices;
  const notes = input.notes == null || input.notes === "" ? before.notes : input.notes;
  const row: AgentRow = { ...before, trust_status: life.value, notes, custom_prices: prices };
  const shownPrices = customPricesView(row);
  const hasMoved = row.trust_status !== before.trust_status || input.custom_prices != null;
  const told = { previous_status: before.trust_status, custom_prices: shownPrices };
  return {
    output: {
      agent_id: row.agent_id,
      trust_status: row.trust_status,
      max_access_tier: accessTierOf(row, context.ports.settings),
      notes: row.notes,
      custom_prices: shownPrices,
    },
    changes: write(row),
    events: hasMoved ? [agentEvent("agent.trust_changed", row, told)] : [],
  };
});

export const removeBuyerAgent = defineOperation(contract.removeBuyerAgent, async (context: SellerContext, input) => {
  const loaded = await context.own(agentKind, input.agent_id, "agent_not_found");
  const address = await context.load(agentAddressKind, sha256Hex(loaded.body.url));
  return {
    output: { agent_id: loaded.body.agent_id, status: "removed" as const },
    changes: [remove(agentKind, loaded), ...(address === null ? [] : [remove(agentAddressKind, address)])],
    events: [agentEvent("agent.removed", loaded.body, {})],
  };
});
