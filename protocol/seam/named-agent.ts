import { isGiven, isMembers } from "../neutral/json-input.ts";
import type { Contract } from "./operation.ts";
import type { Refused } from "../neutral/refusals.ts";

/**
 * Puts the agent that a request names beside its input into the input, where the gates see it (decision 52). Where the
 * input names another, `differ` says so, as for two keys of idempotency. An input that is no object is left for the
 * schema, and one whose operation is about an agent names that agent, not who calls.
 */
export const withNamedAgent = (
  contract: Contract | undefined,
  input: unknown,
  beside: unknown,
  differ: () => Refused,
): unknown => {
  if (!isGiven(beside) || contract?.agentIsSubject === true || !isMembers(input)) return input;
  const { agent_url: inside } = input;
  if (isGiven(inside) && inside !== beside) throw differ();
  return { ...input, agent_url: beside };
};
