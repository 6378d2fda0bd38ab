import { describe, expect, test } from "vitest";
import { planId, planText } from "../../../protocol/audience-plan/plan-id.ts";
import { audiencePlan } from "../../../protocol/audience-plan/schema.ts";
import { covers } from "../../requirements.ts";
import { contextual, type Ref, standard } from "./refs.ts";

const inferred = (ref: Ref, confidence: number): Ref => ({ ...ref, source: "inferred", confidence });
const agentic = (context: Ref): Ref => ({
  type: "agentic",
  identifier: "emb://buyer.example.com/audiences/auto-v3",
  taxonomy: "agentic-audiences",
  version: "draft-2026-01",
  source: "explicit",
  compliance_context: context,
});

const s37 = standard("3-7");
const mixed = 'Größe–日本 "q"\\ 😀\u2028\u007F\n';

const vectors: readonly (readonly [string, unknown, string])[] = [
  ["1", { primary: s37 }, "f89f65f8005246db4575538f167a218b870ad70b59dd0d9fe7d3f6de5d3a80d2"],
  [
    "1b",
    {
      schema_version: "9",
      rationale: "why not",
      primary: { ...s37, confidence: null, compliance_context: null, something: 1 },
      constraints: [],
      extensions: null,
    },
    "f89f65f8005246db4575538f167a218b870ad70b59dd0d9fe7d3f6de5d3a80d2",
  ],
  [
    "2",
    { primary: s37, constraints: [inferred(contextual("IAB1-2"), 0.9)], extensions: [inferred(standard("3-8"), 1)] },
    "885d33787d261a5e15469b4e2e2edae788eb0241b1d94282475c6f174bae02be",
  ],
  ["3", { primary: standard(mixed) }, "84528927522811fb6a4f7cade62f0e8af69e26b561c8bbd56bfa5efb808da2cf"],
  [
    "4",
    { primary: s37, extensions: [agentic({ jurisdiction: "EU", consent_framework: "IAB-TCFv2" })] },
    "379c7d3e5793af9d2789cbc5209a6e8cb4752d2b964750b865445216a4632811",
  ],
  [
    "4b",
    {
      primary: agentic({
        jurisdiction: "US",
        consent_framework: "GPP",
        consent_string_ref: "gpp:abc",
        attestation: "sha256:00",
        embedding_provenance: "local_buyer",
      }),
    },
    "1365279e08353a9534d0752a53924d2c63fbfd0ac5805ddc122cf8420cea0a2d",
  ],
  [
    "5a",
    { primary: s37, constraints: [contextual("IAB1-2"), contextual("IAB3-7")] },
    "33454641ea77176648b8ae5b44d688b4da4a5830bcc25dbcb584e2abc80d5f6c",
  ],
  [
    "5b",
    { primary: s37, constraints: [contextual("IAB3-7"), contextual("IAB1-2")] },
    "ea5e77f35e7e63801a639415bad99a7ca5705ac5094fa77a304328bdc1ad3802",
  ],
  [
    "6",
    {
      primary: inferred(s37, 0.00001),
      exclusions: [
        inferred(standard("3-9"), 0),
        inferred(standard("3-10"), 0.30000000000000004),
        inferred(standard("3-11"), 1.5e-7),
        inferred(standard("3-12"), 0.0001),
      ],
    },
    "937bb5a7b28cc5f97e92374dd691aff1eb88d079e0654091f40c8138ec818fc3",
  ],
];

describe("audience plan", () => {
  test.each(vectors)("the id of vector %s is the published one", (_, plan, hex) => {
    covers("seller.plan.hash.compact-utf8", "seller.plan.hash.left-out", "seller.plan.hash.list-order");
    covers("seller.plan.hash.sha256-prefix");
    expect(planId(audiencePlan.parse(plan))).toBe(`sha256:${hex}`);
  });

  test("the canonical text of vector 1 is the published one", () => {
    covers("seller.plan.hash.compact-utf8", "seller.plan.hash.roles");
    expect(planText(audiencePlan.parse({ primary: s37 }))).toBe(
      '{"constraints":[],"exclusions":[],"extensions":[],"primary":{"compliance_context":null,"confidence":null,' +
        '"identifier":"3-7","source":"explicit","taxonomy":"iab-audience","type":"standard","version":"1.1"}}',
    );
  });

  test("the order of keys, at every depth, changes nothing", () => {
    covers("seller.plan.hash.sorted-keys");
    const turned = (value: unknown): unknown =>
      Array.isArray(value)
        ? value.map(turned)
        : typeof value === "object" && value !== null
          ? Object.fromEntries(
              Object.entries(value)
                .toReversed()
                .map(([name, member]) => [name, turned(member)]),
            )
          : value;
    for (const [, plan, hex] of vectors) expect(planId(audiencePlan.parse(turned(plan)))).toBe(`sha256:${hex}`);
  });

  test("zero with a sign keeps it", () => {
    const text = planText(audiencePlan.parse({ primary: inferred(s37, -0) }));
    expect(text).toContain('"confidence":-0.0');
  });

  test.each([
    ["no primary", {}],
    ["confidence with explicit", { primary: { ...s37, confidence: 0.5 } }],
    ["confidence above one", { primary: inferred(s37, 1.01) }],
    ["confidence as text", { primary: { ...s37, source: "inferred", confidence: "0.5" } }],
    ["agentic without context", { primary: { ...agentic({}), compliance_context: null } }],
    ["unknown jurisdiction", { primary: agentic({ jurisdiction: "MARS", consent_framework: "GPP" }) }],
    ["unknown source", { primary: { ...s37, source: "guess" } }],
    ["half a surrogate pair", { primary: standard("\uD83D") }],
    ["a role that is no list", { primary: s37, constraints: s37 }],
    ["a reference that is no object", { primary: s37, constraints: ["3-8"] }],
    ["a plan that is a list", [s37]],
  ])("%s is refused as a broken request", (_, plan) => {
    expect(audiencePlan.safeParse(plan).success).toBe(false);
  });
});
