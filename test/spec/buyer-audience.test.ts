import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { agenticKeys } from "../../protocol/audience-plan/openrtb.ts";
import { covers } from "../requirements.ts";
import { type Answer, type Started, startBuyer } from "./launched.ts";

type Ref = Readonly<Record<string, unknown>>;

const switchedOn = { ENABLE_AGENTIC_OPENRTB_EXT: "true" };

let plain: Started;
let extended: Started;
const keys = new Map<Started, string>();

beforeAll(async () => {
  plain = await startBuyer();
  extended = await startBuyer(switchedOn);
  for (const buyer of [plain, extended]) {
    keys.set(buyer, String((await buyer.host("create_operator_key", { label: "one" }))["api_key"]));
  }
});
afterAll(async () => {
  await plain.close();
  await extended.close();
});

const translated = (buyer: Started, audience_plan: unknown): Promise<Answer> =>
  buyer.ask("POST", "/audience/openrtb", {
    headers: { authorization: `Bearer ${keys.get(buyer) ?? ""}` },
    body: { audience_plan },
  });

const standard = (identifier: string, more: Ref = {}): Ref => ({
  type: "standard",
  identifier,
  taxonomy: "iab-audience",
  version: "1.1",
  source: "explicit",
  ...more,
});
const contextual = (identifier: string): Ref => ({
  ...standard(identifier),
  type: "contextual",
  taxonomy: "iab-content",
  version: "3.1",
});
const agentic = (identifier: string): Ref => ({
  ...standard(identifier),
  type: "agentic",
  taxonomy: "agentic-audiences",
  version: "draft-2026-01",
  compliance_context: { jurisdiction: "EU", consent_framework: "IAB-TCFv2", consent_string_ref: "tcf:1" },
});

describe("an audience plan as OpenRTB", () => {
  test("standard refs are segments of one entry, contextual ones categories, in the order of the roles", async () => {
    covers("seller.plan.openrtb.standard", "seller.plan.openrtb.standard-version");
    covers("seller.plan.openrtb.standard-value", "seller.plan.openrtb.standard-exclusion");
    covers("seller.plan.openrtb.contextual", "seller.plan.openrtb.contextual-exclusion");
    const { status, body } = await translated(plain, {
      primary: standard("3-7"),
      constraints: [contextual("IAB1-2")],
      extensions: [
        standard("3-8", { source: "inferred", confidence: 1 }),
        standard("3-12", { version: "1.0", source: "resolved", confidence: 0.85 }),
      ],
      exclusions: [standard("3-9"), contextual("IAB3-7")],
    });
    expect(status).toBe(200);
    const segment = [
      { id: "3-7" },
      { id: "3-8", value: "1.0" },
      { id: "3-12", value: "0.85" },
      { id: "3-9", ext: { exclude: true } },
    ];
    expect(body).toStrictEqual({
      openrtb: {
        user: { data: [{ name: "IAB_Taxonomy", ext: { taxonomy_version: "1.1" }, segment }] },
        site: { cat: ["IAB1-2"], cattax: 7 },
      },
      warnings: [{ reason: "site_cat_has_no_exclusion_semantics", count: 1, identifiers: ["IAB3-7"] }],
    });
  });

  test("agentic refs are left out with a warning until they are switched on", async () => {
    covers("seller.plan.openrtb.agentic-off");
    const { body } = await translated(plain, { primary: standard("3-7"), extensions: [agentic("emb://a")] });
    expect(body).toStrictEqual({
      openrtb: { user: { data: [expect.objectContaining({ segment: [{ id: "3-7" }] })] } },
      warnings: [{ reason: "agentic_ext_feature_flag_disabled", count: 1, identifiers: ["emb://a"] }],
    });
    expect((await translated(plain, { primary: agentic("emb://a") })).body["openrtb"]).toStrictEqual({});
  });

  test("switched on they travel in user.ext with their consent; an excluded one never does", async () => {
    covers("seller.plan.openrtb.agentic");
    const { body } = await translated(extended, { primary: agentic("emb://a"), exclusions: [agentic("emb://b")] });
    const compliance_context = {
      jurisdiction: "EU",
      consent_framework: "IAB-TCFv2",
      consent_string_ref: "tcf:1",
      attestation: null,
      embedding_provenance: null,
    };
    const ref = { identifier: "emb://a", version: "draft-2026-01", source: "explicit", compliance_context };
    expect(body).toStrictEqual({
      openrtb: { user: { ext: { iab_agentic_audiences: { refs: [ref] } } } },
      warnings: [{ reason: "agentic_ext_has_no_exclusion_semantics", count: 1, identifiers: ["emb://b"] }],
    });
  });

  test("once another key is ratified both are sent for 90 days, then that one alone", async () => {
    covers("seller.plan.openrtb.agentic-ratified");
    const day = 86_400_000;
    const since = new Date(Date.now() - 30 * day).toISOString().slice(0, 10);
    const buyer = await startBuyer({ ...switchedOn, AGENTIC_OPENRTB_RATIFIED: `agentic_audiences@${since}` });
    keys.set(buyer, String((await buyer.host("create_operator_key", { label: "one" }))["api_key"]));
    const { body } = await translated(buyer, { primary: agentic("emb://a") });
    await buyer.close();
    const { ext } = (body["openrtb"] as { user: { ext: Record<string, unknown> } }).user;
    expect(Object.keys(ext)).toStrictEqual(["agentic_audiences", "iab_agentic_audiences"]);
    expect(ext["agentic_audiences"]).toStrictEqual(ext["iab_agentic_audiences"]);
    const ratified = { key: "agentic_audiences", sinceMs: 1_000 };
    const keysAt = (nowMs: number) => agenticKeys({ isOn: true, ratified }, nowMs);
    expect(keysAt(999)).toStrictEqual(["iab_agentic_audiences"]);
    expect(keysAt(1_000)).toHaveLength(2);
    expect(keysAt(999 + 90 * day)).toHaveLength(2);
    expect(keysAt(1_000 + 90 * day)).toStrictEqual(["agentic_audiences"]);
    expect(agenticKeys({ isOn: false, ratified }, 1_000)).toStrictEqual([]);
  });

  test("a plan that is none is refused, and so is a caller without a key", async () => {
    expect((await translated(plain, { primary: { ...standard("3-7"), confidence: 0.5 } })).status).toBe(422);
    expect((await plain.ask("POST", "/audience/openrtb", { body: {} })).status).toBe(401);
  });
});
