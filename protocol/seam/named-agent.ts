import { isGiven, isMembers } from "../neutral/json-input.ts";
import type { Contract } from "./operation.ts";
import type { Refused } from "../neutral/refusals.ts";

/**
 * Puts the agent named beside the input into it, where the gates see it. `differ` refuses a second one. Where the
 * agent is the operation's subject, the input's is not the caller and stays.
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
