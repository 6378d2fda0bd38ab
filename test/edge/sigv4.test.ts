import { expect, test } from "vitest";
import { canonicalPath, canonicalQuery, signSigV4 } from "../../agents/edge/publisher/sigv4.ts";

test("sigv4: the contract's vector", () => {
  const signed = signSigV4({
    method: "GET",
    url: new URL("https://examplebucket.s3.amazonaws.com/test.txt"),
    nowMs: Date.parse("2013-05-24T00:00:00Z"),
    credentials: {
      region: "us-east-1",
      accessKeyId: "AKIAIOSFODNN7EXAMPLE",
      secretAccessKey: "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY",
    },
  });
  expect(signed.authorization).toBe(
    "AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request, " +
      "SignedHeaders=host;x-amz-content-sha256;x-amz-date, " +
      "Signature=17ee2dc4ebe24953b3ebb4aad72c73aada1b27aa77109a55301af128fdcf571f",
  );
  expect(signed["x-amz-date"]).toBe("20130524T000000Z");
  expect(signed["x-amz-content-sha256"]).toBe("UNSIGNED-PAYLOAD");
});

test("sigv4: paths are decoded once and encoded in upper case", () => {
  expect(canonicalPath("/foo%20bar/%e2%9c%93.jpg")).toBe("/foo%20bar/%E2%9C%93.jpg");
  expect(canonicalPath("/image*name%20raw.jpg")).toBe("/image%2Aname%20raw.jpg");
});

test("sigv4: queries are sorted, and a plus stays a plus", () => {
  expect(canonicalQuery("v=a+b&space=a%20b&slash=a/b&encoded=a%2bb&empty")).toBe(
    "empty=&encoded=a%2Bb&slash=a%2Fb&space=a%20b&v=a%2Bb",
  );
});

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
