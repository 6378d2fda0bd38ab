import { describe, expect, test } from "vitest";
import { findAssetRoute, handleAsset } from "../../../agents/edge/publisher/assets/assets.ts";
import { answer, fakeEdge, NOW } from "../fake-edge.ts";

const auth = { type: "s3_sigv4", region: "eu-west-1", access_key_id: "AKID", secret_access_key: "secret" };
const route = { prefix: "/img/", origin_url: "https://bucket.s3.eu-west-1.amazonaws.com" };

const fetchAsset = async (path: string, more: object = {}, headers: Record<string, string> = {}) => {
  const config = { proxy: { asset_routes: [{ ...route, auth: { ...auth, ...more } }] } };
  const url = `https://pub.example${path}`;
  const edge = fakeEdge({ config, url, send: () => answer(200, { "content-type": "image/png" }, "png") });
  const found = findAssetRoute(edge.context.config, "GET", new URL(url).pathname);
  if (found === null) throw new Error("no route");
  const response = await handleAsset(new Request(url, { headers }), edge.context, found);
  return { response, sent: edge.sent[0] };
};

describe("asset routes that sign for a bucket", () => {
  test("the request carries the date, the unsigned body and a signature over host and both", async () => {
    const { response, sent } = await fetchAsset("/img/a b/%C3%A9.png?v=2");
    expect(response.status).toBe(200);
    expect(sent?.url.href).toBe("https://bucket.s3.eu-west-1.amazonaws.com/img/a%20b/%C3%A9.png?v=2");
    const stamp = new Date(NOW).toISOString().replace(/[:-]|\.\d{3}/g, "");
    expect(sent?.headers.get("x-amz-date")).toBe(stamp);
    expect(sent?.headers.get("x-amz-content-sha256")).toBe("UNSIGNED-PAYLOAD");
    expect(sent?.headers.get("authorization")).toMatch(
      new RegExp(
        `^AWS4-HMAC-SHA256 Credential=AKID/${stamp.slice(0, 8)}/eu-west-1/s3/aws4_request, ` +
          "SignedHeaders=host;x-amz-content-sha256;x-amz-date, Signature=[0-9a-f]{64}$",
      ),
    );
  });

  test("the path, the query and the day are under the signature", async () => {
    const signatureOf = async (path: string, more: object = {}) =>
      (await fetchAsset(path, more)).sent?.headers.get("authorization") ?? "";
    const plain = await signatureOf("/img/a.png?v=2");
    expect(await signatureOf("/img/a.png?v=2")).toBe(plain);
    for (const other of [
      signatureOf("/img/b.png?v=2"),
      signatureOf("/img/a.png?v=3"),
      signatureOf("/img/a.png?v=2", { secret_access_key: "other" }),
    ]) {
      expect(await other).not.toBe(plain);
    }
  });

  test("the client's own credentials and signature stay here, what the bucket needs goes on", async () => {
    const { sent } = await fetchAsset(
      "/img/a.png",
      { session_token: "token" },
      {
        authorization: "Bearer mine",
        "x-amz-date": "forged",
        cookie: "a=1",
        range: "bytes=0-1",
        "if-none-match": '"e"',
      },
    );
    const names = [...(sent?.headers.keys() ?? [])].toSorted();
    expect(names).toEqual([
      "accept-encoding",
      "authorization",
      "host",
      "if-none-match",
      "range",
      "x-amz-content-sha256",
      "x-amz-date",
      "x-amz-security-token",
    ]);
    expect(sent?.headers.get("authorization")).toContain("x-amz-security-token, Signature=");
    expect(sent?.headers.get("x-amz-date")).not.toBe("forged");
  });

  test("a query can be left out", async () => {
    const { sent } = await fetchAsset("/img/a.png?v=2", { origin_query: "strip" });
    expect(sent?.url.search).toBe("");
  });
});
