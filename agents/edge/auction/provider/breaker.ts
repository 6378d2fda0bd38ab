import type { EdgeConfig, ProviderConfig } from "../../config.ts";
import type { EdgePeers, PeerEvent } from "../../platform.ts";

/** How one call ended, as far as the breaker cares: only silence and broken lines count against a provider. */
export type CallOutcome = "answered" | "unreachable";

/** `probingUntilMs`: a call that never ends must not keep the provider paused for ever. */
interface Circuit {
  outcomes: CallOutcome[];
  pausedUntilMs: number | null;
  probingUntilMs: number | null;
  /** Calls that the other processes do not know of yet. */
  untold: { answered: number; unreachable: number };
  toldAtMs: number;
}

const circuits = new WeakMap<EdgeConfig, Map<string, Circuit>>();

const newCircuit = (): Circuit => ({
  outcomes: [],
  pausedUntilMs: null,
  probingUntilMs: null,
  untold: { answered: 0, unreachable: 0 },
  toldAtMs: 0,
});

const circuitOf = (config: EdgeConfig, id: string): Circuit => {
  const table = circuits.get(config) ?? new Map<string, Circuit>();
  circuits.set(config, table);
  const circuit = table.get(id) ?? newCircuit();
  table.set(id, circuit);
  return circuit;
};

const isTripped = (outcomes: readonly CallOutcome[], rule: ProviderConfig["circuit_breaker"]): boolean => {
  const failures = outcomes.filter((outcome) => outcome === "unreachable").length;
  return outcomes.length >= rule.window && failures * 100 >= rule.failure_percent * outcomes.length;
};

const tellMs = 100;

const outcomesOf = ({ answered, unreachable }: Circuit["untold"]): CallOutcome[] => [
  ...Array<CallOutcome>(answered).fill("answered"),
  ...Array<CallOutcome>(unreachable).fill("unreachable"),
];

/**
 * Holds calls to a provider back while most of the last ones went unanswered, so that every auction need not wait for
 * it. After the pause a single call probes: its outcome closes the circuit or starts another pause. All processes of an
 * edge look at the same calls, a tenth of a second late.
 */
export const openBreaker = (
  config: EdgeConfig,
  id: string,
  rule: ProviderConfig["circuit_breaker"],
  peers?: Pick<EdgePeers, "publish">,
) => {
  const circuit = circuitOf(config, id);
  const pause = (nowMs: number): void => {
    Object.assign(circuit, { pausedUntilMs: nowMs + rule.pause_ms, probingUntilMs: null });
    peers?.publish({ provider: id, kind: "paused", untilMs: nowMs + rule.pause_ms });
  };
  const resume = (): void => {
    Object.assign(circuit, newCircuit());
    peers?.publish({ provider: id, kind: "resumed" });
  };
  const tell = (outcome: CallOutcome, nowMs: number): void => {
    if (peers === undefined) return;
    circuit.untold[outcome] += 1;
    if (nowMs - circuit.toldAtMs < tellMs) return;
    peers.publish({ provider: id, kind: "calls", ...circuit.untold });
    circuit.untold = { answered: 0, unreachable: 0 };
    circuit.toldAtMs = nowMs;
  };
  return {
    admits(nowMs: number): boolean {
      if (!rule.enabled || circuit.pausedUntilMs === null) return true;
      if (nowMs < Math.max(circuit.pausedUntilMs, circuit.probingUntilMs ?? 0)) return false;
      circuit.probingUntilMs = nowMs + rule.pause_ms;
      peers?.publish({ provider: id, kind: "probing", untilMs: circuit.probingUntilMs });
      return true;
    },
    report(outcome: CallOutcome, nowMs: number): void {
      if (!rule.enabled) return;
      circuit.outcomes = [...circuit.outcomes, outcome].slice(-rule.window);
      if (circuit.probingUntilMs !== null) return outcome === "answered" ? resume() : pause(nowMs);
      tell(outcome, nowMs);
      if (outcome === "unreachable" && isTripped(circuit.outcomes, rule)) pause(nowMs);
    },
  };
};

/** What another process found out about a provider holds here too. */
export const followPeer = (config: EdgeConfig, event: PeerEvent): void => {
  if (event.kind === "met") return;
  const circuit = circuitOf(config, event.provider);
  switch (event.kind) {
    case "paused":
      return void Object.assign(circuit, { outcomes: [], pausedUntilMs: event.untilMs, probingUntilMs: null });
    case "resumed":
      return void Object.assign(circuit, newCircuit());
    case "probing":
      return void Object.assign(circuit, { probingUntilMs: event.untilMs });
    case "calls": {
      const window = config.auction.providers[event.provider]?.circuit_breaker.window ?? 0;
      circuit.outcomes = [...circuit.outcomes, ...outcomesOf(event)].slice(-window);
    }
  }
};
