import { planId } from "../../../protocol/audience-plan/plan-id.ts";
import { type AudiencePlan, audiencePlan } from "../../../protocol/audience-plan/schema.ts";

type Members = Readonly<Record<string, unknown>>;

const membersOf = (value: unknown): Members => (typeof value === "object" && value !== null ? (value as Members) : {});

/**
 * What of a brief's audience is meant as a plan: its `audience_plan`, or the audience itself where its `primary` is a
 * reference. All else is free-form and stays with the buyer; null then.
 */
const planIn = (audience: Members): unknown =>
  audience["audience_plan"] ?? (membersOf(audience["primary"])["type"] === undefined ? null : audience);

/** Why the plan of an audience cannot be sent, a line each; empty when it can, or when there is none. */
export const planProblems = (audience: Members): readonly string[] => {
  const found = planIn(audience);
  if (found === null) return [];
  const { error } = audiencePlan.safeParse(found);
  return (error?.issues ?? []).slice(0, 10).map(({ path, message }) => {
    return `target_audience: ${["audience_plan", ...path.map(String)].join(".")}: ${message}`;
  });
};

/** The plan of a brief's audience under the id of its content, and the id that it came with. */
export const plannedAudience = (audience: Members): { plan: AudiencePlan; givenId: string } | null => {
  const { data } = audiencePlan.safeParse(planIn(audience));
  if (data === undefined) return null;
  return { plan: { ...data, audience_plan_id: planId(data) }, givenId: data.audience_plan_id?.trim() ?? "" };
};
