import { planId } from "../../../protocol/audience-plan/plan-id.ts";
import { type AudiencePlan, audiencePlan } from "../../../protocol/audience-plan/schema.ts";
import { membersOf, type Members } from "../../../protocol/neutral/members.ts";

/**
 * `audience_plan`, or the audience itself where `primary` is a reference. Anything else is free-form and not sent:
 * null.
 */
const planIn = (audience: Members): unknown =>
  audience["audience_plan"] ?? (membersOf(audience["primary"])["type"] === undefined ? null : audience);

export const planProblems = (audience: Members): readonly string[] => {
  const found = planIn(audience);
  if (found === null) return [];
  const { error } = audiencePlan.safeParse(found);
  return (error?.issues ?? []).slice(0, 10).map(({ path, message }) => {
    return `target_audience: ${["audience_plan", ...path.map(String)].join(".")}: ${message}`;
  });
};

/** The plan under the id of its content, and the id that it came with. */
export const plannedAudience = (audience: Members): { plan: AudiencePlan; givenId: string } | null => {
  const { data } = audiencePlan.safeParse(planIn(audience));
  if (data === undefined) return null;
  return { plan: { ...data, audience_plan_id: planId(data) }, givenId: data.audience_plan_id?.trim() ?? "" };
};
