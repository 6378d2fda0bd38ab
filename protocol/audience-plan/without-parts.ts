import { planId } from "./plan-id.ts";
import { type AudiencePlan, type ListRole, listRoles } from "./schema.ts";

const partForm = /^(constraints|extensions|exclusions)(?:\[(\d{1,4})\](?:\..+)?)?$/;

/** Null: nothing that may be left out. */
const namedBy = (plan: AudiencePlan, path: string): { role: ListRole; places: readonly number[] } | null => {
  const [, name, place] = partForm.exec(path) ?? [];
  const role = listRoles.find((one) => one === name);
  if (role === undefined) return null;
  const all = [...(plan[role] ?? []).keys()];
  const places = place === undefined ? all : all.filter((index) => index === Number(place));
  return places.length === 0 ? null : { role, places };
};

/**
 * Drops exactly the unsupported parts (seller spec, Audience plan on the deal booking). A path names a role
 * (`extensions`) or one reference of it (`constraints[0].taxonomy`); a listed role goes whole. Null where a path names
 * the primary audience or nothing of this plan.
 */
export const withoutParts = (plan: AudiencePlan, paths: readonly string[]): AudiencePlan | null => {
  const named = paths.map((path) => namedBy(plan, path)).filter((one) => one !== null);
  if (named.length === 0 || named.length < paths.length) return null;
  const left = (role: ListRole) => {
    const gone = new Set(named.flatMap((one) => (one.role === role ? one.places : [])));
    return (plan[role] ?? []).filter((_ref, index) => !gone.has(index));
  };
  const roles = [...new Set(named.map(({ role }) => role))];
  const rest: AudiencePlan = { ...plan, ...Object.fromEntries(roles.map((role) => [role, left(role)])) };
  return { ...rest, audience_plan_id: planId(rest) };
};
