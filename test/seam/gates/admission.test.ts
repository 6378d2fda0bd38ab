import { describe, expect, test } from "vitest";
import { refuse } from "../../../protocol/neutral/refusals.ts";
import { createAdmission, hostAdmission } from "../../../protocol/seam/admission.ts";
import { anonymousCaller, type Caller } from "../../../protocol/seam/caller.ts";

const address = "203.0.113.9";
const holder: Caller = {
  ...anonymousCaller(address),
  kind: "key",
  principal: "key:k",
  owner: "key:k",
  limitKey: "key:k",
};

/** `most` requests are allowed per key. */
const admissionOf = (secret: string | null, most = 10) => {
  const found: string[] = [];
  const taken: string[] = [];
  const stateOf = (used: number) => ({
    allowed: used <= most,
    limit: most,
    remaining: Math.max(0, most - used),
    resetSeconds: 7,
  });
  const usedBy = (key: string): number => taken.filter((one) => one === key).length;
  const admission = createAdmission(
    {
      callers: {
        find: async (given) => {
          found.push(given);
          return given === "good" ? holder : refuse("invalid_api_key");
        },
      },
      limiter: {
        take: async ({ limitKey }) => {
          taken.push(limitKey);
          return stateOf(usedBy(limitKey));
        },
        standing: async ({ limitKey }) => stateOf(usedBy(limitKey)),
      },
      log: { info: () => undefined, warn: () => undefined, error: () => undefined },
    },
    { apiKey: secret, authorization: null, address },
  );
  return { admission, found, taken };
};

describe("admission", () => {
  test("whoever asks first, the credential is looked up once and the request is counted once", async () => {
    const { admission, found, taken } = admissionOf("good");
    const asked = [admission.who(), admission.count(), admission.count(), admission.who()];
    expect(await Promise.all(asked)).toEqual([holder, null, null, holder]);
    expect([found, taken]).toEqual([["good"], ["key:k"]]);
    expect(await admission.remaining()).toMatchObject({ remaining: 9 });
  });

  test("a refused credential counts against its address, and is the refusal until nothing is left", async () => {
    const { admission, taken } = admissionOf("wrong", 1);
    expect(await admission.count()).toMatchObject({ code: "invalid_api_key" });
    expect(await admission.countMore()).toMatchObject({ code: "rate_limited", retryAfterSeconds: 7 });
    expect(taken).toEqual([`address:${address}`, `address:${address}`]);
  });

  test("further requests of a message are counted one by one", async () => {
    const { admission, taken } = admissionOf("good", 2);
    const refusals = [await admission.count(), await admission.countMore(), await admission.countMore()];
    expect(refusals).toMatchObject([null, null, { code: "rate_limited" }]);
    expect(taken).toHaveLength(3);
  });

  test("what is left is told without a look-up and without a count", async () => {
    const { admission, found, taken } = admissionOf("good");
    expect(await admission.remaining()).toMatchObject({ remaining: 10 });
    expect([found, taken]).toEqual([[], []]);
  });

  test("the host has no limit", async () => {
    expect(await hostAdmission.count()).toBeNull();
    expect(await hostAdmission.remaining()).toBeNull();
    expect(await hostAdmission.who()).toMatchObject({ kind: "host", principal: "host" });
  });
});
