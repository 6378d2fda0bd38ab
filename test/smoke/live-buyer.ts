import { expect } from "vitest";

export interface LiveBuyer {
  readonly url: string;
  readonly key: string;
}

/** Null without BUYER_OPERATOR_KEY: then no smoke test calls anything. */
export const liveBuyer = (environment: Readonly<Record<string, string | undefined>>): LiveBuyer | null => {
  const { BUYER_OPERATOR_KEY: key = "", BUYER_URL: url = "http://127.0.0.1:8001" } = environment;
  return key === "" ? null : { url, key };
};

const read = async ({ url, key }: LiveBuyer, path: string): Promise<Readonly<Record<string, unknown>>> => {
  const answer = await fetch(new URL(path, url), { headers: { authorization: `Bearer ${key}` } });
  expect([path, answer.status]).toEqual([path, 200]);
  return (await answer.json()) as Readonly<Record<string, unknown>>;
};

/** They change nothing on the server. */
export const smokeTests: Readonly<Record<string, (live: LiveBuyer) => Promise<void>>> = {
  "it is healthy": async (live) => {
    expect(await read(live, "/health")).toMatchObject({ status: "healthy" });
  },
  "it turns strangers away": async ({ url }) => {
    expect((await fetch(new URL("/bookings", url))).status).toBe(401);
  },
  "the key is an operator's": async (live) => {
    expect(await read(live, "/api/v1/caller")).toMatchObject({ agent: "buyer" });
  },
  "bookings, deals and events can be read": async (live) => {
    expect(await read(live, "/bookings")).toMatchObject({ total: expect.any(Number) });
    expect(await read(live, "/api/v1/deals")).toMatchObject({ total: expect.any(Number) });
    expect(await read(live, "/events")).toMatchObject({ total: expect.any(Number) });
  },
};
