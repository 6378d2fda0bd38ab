import { describe, expect, onTestFinished, test } from "vitest";
import { createBuyer } from "../../agents/buyer/app.ts";
import type { BuyerSettings } from "../../agents/buyer/config.ts";
import { answerJson, type Seen } from "../client/loopback.ts";
import { contextual, standard } from "../protocol/audience-plan/refs.ts";
import { covers } from "../requirements.ts";
import { type Bends, type FakeSeller, startFakeSeller } from "./fake-seller.ts";
import {
  type BuyerWorld,
  callAgent,
  type Job,
  logTo,
  openBuyer,
  plainBuyer,
  sampleBrief,
  settledJob,
} from "./world.ts";

const primary = standard("3-7");
const plan = { primary, constraints: [contextual("IAB1-2"), contextual("IAB3-7")], extensions: [standard("3-8")] };
const brief = { ...sampleBrief, channels: ["branding"], budget: 1000, flights: null };

interface Started {
  readonly world: BuyerWorld;
  readonly seller: FakeSeller;
  readonly settings: BuyerSettings;
  readonly jobId: string;
}

const start = async (bends: Bends, audience: unknown = { audience_plan: plan }): Promise<Started> => {
  const seller = await startFakeSeller(bends);
  onTestFinished(() => seller.close());
  const sellers = [{ url: seller.url, key: null, headerType: "api_key" as const }];
  const settings = { ...plainBuyer, sellers, sellerTimeoutSeconds: 30 };
  const world = await openBuyer(settings);
  onTestFinished(() => world.close());
  const input = { brief: { ...brief, target_audience: audience }, auto_approve: true };
  const { output } = await callAgent(world.buyer, "create_booking", input);
  return { world, seller, settings, jobId: String(output["job_id"]) };
};

interface Booked {
  readonly job: Job;
  readonly sent: readonly Sent[];
  readonly seller: FakeSeller;
}

const bookAt = async (bends: Bends, audience?: unknown): Promise<Booked> => {
  const { world, seller, jobId } = await start(bends, audience);
  const job = await settledJob(world.buyer, jobId);
  return { job, sent: sentTo(seller), seller };
};

interface Sent {
  readonly key: unknown;
  readonly body: Readonly<Record<string, unknown>>;
  readonly headers: Seen["headers"];
}

const sentTo = (seller: FakeSeller): readonly Sent[] =>
  seller.server.seen
    .filter(({ method, path }) => method === "POST" && path === "/api/v1/deals")
    .map(({ headers, body }) => ({ key: headers["idempotency-key"], body: JSON.parse(body) as Sent["body"], headers }));

/** Rejects its first bookings for these paths, then books. */
const refusing = (...rounds: readonly (readonly string[])[]): NonNullable<Bends["booking"]> => {
  const left = [...rounds];
  return (response) => {
    const paths = left.shift();
    if (paths === undefined) return false;
    const unsupported = paths.map((path) => ({ path, reason: "not here" }));
    answerJson(response, 400, { detail: { error: "audience_plan_unsupported", unsupported } });
    return true;
  };
};

describe("booking with an audience plan: the request and its answer", () => {
  test("booking: a plan goes out in the legacy media type, and both names are taken back", async () => {
    covers("buyer.client.plan-content-type", "buyer.client.plan-accept");
    const { sent } = await bookAt({});
    expect(sent).toHaveLength(1);
    expect(sent[0]?.headers).toMatchObject({
      "content-type": "application/vnd.ucp.embedding+json; v=1",
      accept: "application/vnd.ucp.embedding+json; v=1, application/vnd.iab.agentic-audiences+json; v=1",
    });
    expect(sent[0]?.body["audience_plan"]).toMatchObject(plan);
  });

  test("booking: lists that the match summary lacks are empty, and OpenRTB parameters without at are at 3", async () => {
    covers("seller.plan.match.absent-lists", "seller.deals.openrtb.at-buyer-default");
    const { job } = await bookAt({
      deal: (_response, deal) => {
        const best = { match: "STRONG", score: 0.9 };
        deal["openrtb_params"] = { id: "D-1", bidfloor: 10 };
        deal["audience_match_summary"] = { primary: best, constraints: [best], extensions: null };
        return false;
      },
    });
    expect(job.booked_lines).toMatchObject([
      {
        openrtb_params: { id: "D-1", bidfloor: 10, bidfloorcur: "USD", at: 3, wseat: [], wadomain: [] },
        audience_match_summary: {
          primary: { match: "STRONG", score: 0.9 },
          constraints: [{ match: "STRONG", score: 0.9 }],
          extensions: [],
          exclusions: [],
        },
      },
    ]);
  });

  test("booking: a free-form audience books without a plan, as plain JSON", async () => {
    const { job, sent } = await bookAt({}, { primary: { age: "25-54" } });
    expect(sent[0]?.headers).toMatchObject({ "content-type": "application/json", accept: "application/json" });
    expect(sent[0]?.body).not.toHaveProperty("audience_plan");
    expect(job.booked_lines).toMatchObject([{ audience_plan_id: null, audience_match_summary: null }]);
  });
});

describe("booking with an audience plan: refusals", () => {
  test("booking: each changed plan is sent once, under an id and a key of its own", async () => {
    covers("seller.plan.rejection.buyer-retries");
    const { job, sent } = await bookAt({ booking: refusing(["constraints[0].taxonomy"], ["constraints[0]"]) });
    expect(job).toMatchObject({ status: "completed", errors: [] });
    expect(sent.map(({ body }) => body["audience_plan"])).toMatchObject([
      plan,
      { ...plan, constraints: [contextual("IAB3-7")] },
      { ...plan, constraints: [] },
    ]);
    expect(new Set(sent.map(({ key }) => key)).size).toBe(3);
    const plans = sent.map(({ body }) => body["audience_plan"] as Sent["body"]);
    expect(new Set(plans.map((one) => one["audience_plan_id"])).size).toBe(3);
  });

  test.each([
    ["the primary audience", ["primary.taxonomy", "extensions"]],
    ["a reference that the plan does not have", ["constraints[7].taxonomy"]],
    ["a role that the plan does not use", ["exclusions"]],
    ["what is no part of a plan", ["max_refs_per_role"]],
    ["nothing", []],
  ])("booking: a refusal that lists %s is not tried again", async (_name, paths) => {
    const { job, sent, seller } = await bookAt({ booking: refusing(paths, [], []) });
    expect(sent).toHaveLength(1);
    expect(seller.deals.size).toBe(0);
    expect(job).toMatchObject({ status: "failed", booked_lines: [] });
    expect(job.errors[0]).toContain("audience_plan_unsupported");
    for (const path of paths) expect(job.errors[0]).toContain(`${path}: not here`);
  });

  test("booking: a restart sends the plan that was stored last again, under its key", async () => {
    let told: () => void = () => undefined;
    const reached = new Promise<void>((resolve) => (told = resolve));
    const refuse = refusing(["extensions"]);
    let calls = 0;
    const booking: Bends["booking"] = (response, request) => {
      calls += 1;
      if (calls === 2) told();
      return refuse(response, request) || calls === 2;
    };
    const { world, seller, settings, jobId } = await start({ booking });
    await reached;
    await world.buyer.stop();
    const next = createBuyer({ store: world.store, settings, clock: world.clock, log: logTo([]) });
    onTestFinished(() => next.stop());
    const job = await settledJob(next, jobId);
    const sent = sentTo(seller);
    expect(job).toMatchObject({ status: "completed", errors: [] });
    expect(sent).toHaveLength(3);
    expect(sent[1]?.body["audience_plan"]).toMatchObject({ ...plan, extensions: [] });
    expect(sent[2]).toMatchObject({ key: sent[1]?.key, body: sent[1]?.body });
    expect(sent[1]?.key).not.toBe(sent[0]?.key);
  });

  test("booking: a seller that is never content is sent five changed plans and no more", async () => {
    const wide = { primary, extensions: Array.from({ length: 9 }, (_ref, index) => standard(`3-${index}`)) };
    const rounds = Array.from({ length: 9 }, () => ["extensions[0]"]);
    const { job, sent } = await bookAt({ booking: refusing(...rounds) }, wide);
    expect(job.status).toBe("failed");
    expect(sent).toHaveLength(6);
  });
});
