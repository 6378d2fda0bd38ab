export interface VouchingRegistry {
  /** Derived from the registry's address, so that it stays the same. */
  readonly registry_id: string;
  readonly registry_name: string;
  readonly registry_url: string;
  readonly external_agent_id: string | null;
}

/** Not validated yet. */
export type FetchedCard =
  | { readonly ok: true; readonly card: unknown }
  | { readonly ok: false; readonly reason: "target_not_allowed" | "unavailable" };

/** Outbound, so guarded. `traceparent` goes with each request. */
export interface AgentLookup {
  /** Without any look-up. */
  isPermitted(agentUrl: string): boolean;
  fetchCard(agentUrl: string, traceparent: string | null): Promise<FetchedCard>;
  /** A registry that fails to answer does not vouch. */
  askRegistries(agentUrl: string, traceparent: string | null): Promise<readonly VouchingRegistry[]>;
}
