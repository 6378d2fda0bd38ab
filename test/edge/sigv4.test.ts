import { expect, test } from "vitest";
import { signSigV4 } from "../../agents/edge/publisher/assets/sigv4.ts";

test("sigv4: a session token is under the signature", () => {
  const base = {
    method: "GET",
    url: new URL("https://b.s3.amazonaws.com/x"),
    nowMs: 0,
    credentials: { region: "eu-west-1", accessKeyId: "k", secretAccessKey: "s" },
  };
  const without = signSigV4(base);
  const withToken = signSigV4({ ...base, credentials: { ...base.credentials, sessionToken: "t" } });
  expect(withToken["x-amz-security-token"]).toBe("t");
  expect(withToken.authorization).toContain("SignedHeaders=host;x-amz-content-sha256;x-amz-date;x-amz-security-token");
  expect(withToken.authorization).not.toBe(without.authorization);
});
