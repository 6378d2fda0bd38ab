import type { EdgeConfig, ProviderConfig } from "../../config.ts";
import type { EdgePeers, PeerEvent } from "../../platform.ts";

/** How one call ended, as far as the breaker cares: only silence and broken lines count against a provider. */
export type CallOutcome = "answered" | "unreachable";

type Circuit = {
  outcomes: CallOutcome[];
  pausedUntilMs: number | null;
  isProbing: boolean;
};

const circuits = new WeakMap<EdgeConfig, Map<string, Circuit>>();

const circuitOf = (config: EdgeConfig, id: string): Circuit => {
  const table = circuits.get(config) ?? new Map<string, Circuit>();
  circuits.set(config, table);
  const circuit = table.get(id) ?? { outcomes: [], pausedUntilMs: null, isProbing: false };
  table.set(id, circuit);
  return circuit;
};

const isTripped = (outcomes: readonly CallOutcome[], rule: ProviderConfig["circuit_breaker"]): boolean => {
  const failures = outcomes.filter((outcome) => outcome === "unreachable").length;
  return outcomes.length >= rule.window && failures * 100 >= rule.failure_percent * outcomes.length;
};

/**
 * Holds calls to a provider back while most of the last ones went unanswered, so that every auction need not wait for
 * it. After the pause a single call probes: its outcome closes the circuit or starts another pause.
 */
export const openBreaker = (
  config: EdgeConfig,
  id: string,
  rule: ProviderConfig["circuit_breaker"],
  peers?: Pick<EdgePeers, "publish">,
) => {
  const circuit = circuitOf(config, id);
  return {
    admits(nowMs: number): boolean {
      if (!rule.enabled || circuit.pausedUntilMs === null) return true;
      if (nowMs < circuit.pausedUntilMs || circuit.isProbing) return false;
      circuit.isProbing = true;
      return true;
    },
    report(outcome: CallOutcome, nowMs: number): void {
      if (!rule.enabled) return;
      const wasProbing = circuit.isProbing;
      circuit.isProbing = false;
      circuit.outcomes = [...circuit.outcomes, outcome].slice(-rule.window);
      if (wasProbing && outcome === "answered") {
        circuit.outcomes = [];
        circuit.pausedUntilMs = null;
        peers?.publish({ provider: id, pausedUntilMs: null });
      } else if (outcome === "unreachable" && (wasProbing || isTripped(circuit.outcomes, rule))) {
        circuit.pausedUntilMs = nowMs + rule.pause_ms;
        peers?.publish({ provider: id, pausedUntilMs: circuit.pausedUntilMs });
      }
    },
  };
};

/** What another process found out about a provider holds here too, whatever was seen here until then. */
export const followPeer = (config: EdgeConfig, { provider, pausedUntilMs }: PeerEvent): void => {
  Object.assign(circuitOf(config, provider), { outcomes: [], pausedUntilMs, isProbing: false });
};
