import { describe, expect, test } from "vitest";
import { audiencePlan } from "../../../protocol/audience-plan/schema.ts";
import { matchSummary } from "../../../skills/seller/audience/rules.ts";
import { covers } from "../../requirements.ts";

const planOf = (identifier: string) =>
  audiencePlan.parse({
    primary: { type: "standard", identifier, taxonomy: "iab-audience", version: "1.1", source: "explicit" },
  });

describe("audience match", () => {
  test.each([
    ["3-7", 0.2461, "NONE"],
    ["3-8", 0.6195, "WEAK"],
    ["IAB1-2", 0.7392, "MODERATE"],
    ["IAB19-29", 0.945, "STRONG"],
    ["emb://buyer.example.com/audiences/sports-fans-v3", 0.8981, "STRONG"],
  ])("the audience %s scores %d, %s", (identifier, score, match) => {
    covers("seller.plan.match.moderate", "seller.plan.match.none", "seller.plan.match.strong");
    covers("seller.plan.match.weak");
    const empty = { constraints: [], extensions: [], exclusions: [] };
    expect(matchSummary(planOf(identifier))).toStrictEqual({ primary: { match, score }, ...empty });
  });
});
