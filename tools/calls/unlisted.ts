import { isMembers } from "../../protocol/neutral/json-input.ts";
import type { Contract } from "../../protocol/seam/operation.ts";
import type { ToolCatalog } from "../catalog.ts";
import type { ToolView } from "../listing.ts";

/** Members whose text tells an assistant what to call. */
const guiding = ["next_step", "next", "cure", "next_tool"];

const guidesIn = (value: unknown): readonly string[] => {
  if (Array.isArray(value)) return value.flatMap(guidesIn);
  if (!isMembers(value)) return [];
  return Object.entries(value).flatMap(([name, member]) =>
    typeof member === "string" ? (guiding.includes(name) ? [member] : []) : guidesIn(member),
  );
};

const toolNames = /[a-z]+(?:_[a-z]+)+/g;

const wayTo = ({ name, group }: Contract): string => `${name}: connect with toolset=default,${group} to see it`;

/**
 * Many assistants can call only what they were shown. Of what the caller may not call, the text says who does; `called`
 * needs no way to it.
 */
export const unlistedTools = (
  { byName }: ToolCatalog,
  view: ToolView,
  output: unknown,
  called: Contract | null = null,
): { readonly unlisted_tools?: readonly string[] } => {
  const named = new Set(guidesIn(output).flatMap((text) => text.match(toolNames) ?? []));
  const found = [...named].flatMap((name) => {
    const contract = byName.get(name);
    const isNew = contract !== undefined && contract !== called && !view.lists(contract);
    return isNew && view.mayCall(contract) ? [wayTo(contract)] : [];
  });
  return found.length === 0 ? {} : { unlisted_tools: found };
};
