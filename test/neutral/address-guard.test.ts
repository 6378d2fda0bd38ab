import { describe, expect, test } from "vitest";
import { createSend } from "../../agents/edge/runtimes/leaf/outbound.ts";
import { createOutbound } from "../../protocol/client/outbound.ts";
import { codeOf } from "../../protocol/client/limits.ts";
import { readAllowList } from "../../protocol/client/address-guard.ts";
import { allowListDefects, allowListOf, isPublicAddress, judgeTarget } from "../../protocol/neutral/address-guard.ts";

const shut = [
  "127.0.0.1",
  "127.8.8.8",
  "0.0.0.0",
  "10.1.2.3",
  "172.16.0.1",
  "192.168.1.1",
  "169.254.169.254",
  "100.64.0.1",
  "192.0.0.8",
  "192.0.2.1",
  "198.18.0.1",
  "198.51.100.1",
  "203.0.113.1",
  "224.0.0.1",
  "240.0.0.1",
  "255.255.255.255",
  "::",
  "::1",
  "::ffff:127.0.0.1",
  "::ffff:a00:1",
  "::7f00:1",
  "64:ff9b::7f00:1",
  "2002:7f00:1::",
  "2001::1",
  "2001:db8::1",
  "fc00::1",
  "fd00:ec2::254",
  "fe80::1",
  "fec0::1",
  "ff02::1",
  "100:0:0:1::1",
  "4000::1",
  "fe00::1",
  "not-an-address",
  "",
];

const familyOf = (address: string): number => (address.includes(":") ? 6 : 4);

const bySeller = async (address: string): Promise<string> => {
  const resolve = async () => [{ address, family: familyOf(address) }];
  const outbound = createOutbound({ allow: [], timeoutMs: 2_000, resolve });
  const failed = await outbound.fetch("http://cdn.example:8009/", {}).catch((error) => error);
  await outbound.close();
  return String(codeOf(failed));
};

const byEdge = async (address: string): Promise<string> => {
  const send = createSend([], (_, __, callback) => callback(null, [{ address, family: familyOf(address) }]));
  const url = new URL("http://cdn.example:9/");
  const result = await send({
    url,
    method: "GET",
    headers: new Headers(),
    body: null,
    idleMs: 2_000,
    trust: "foreign",
  });
  return result.ok ? "answered" : result.fault;
};

describe("address guard", () => {
  test.each(shut)("address guard: %s is not public", (address) => {
    expect(isPublicAddress(address)).toBe(false);
  });

  test.each(shut)("address guard: a name that resolves to %s is refused on both ways out", async (address) => {
    expect([await bySeller(address), await byEdge(address)]).toEqual(["TARGET_NOT_ALLOWED", "blocked"]);
  });

  test.each(["8.8.8.8", "93.184.216.34", "2606:4700::1111", "::ffff:8.8.8.8"])(
    "address guard: %s is public",
    (address) => {
      expect(isPublicAddress(address)).toBe(true);
    },
  );

  test.each([
    "http://127.0.0.1/",
    "http://2130706433/",
    "http://0x7f.1/",
    "http://0177.0.0.1/",
    "http://[::1]/",
    "http://[::ffff:7f00:1]/",
    "http://169.254.169.254/latest/meta-data",
    "ftp://8.8.8.8/",
    "file:///etc/passwd",
    "data:text/plain,x",
    "no url",
  ])("address guard: %s is refused before anything is connected", (target) => {
    expect(judgeTarget(target, [])).toBe("refused");
  });

  test("address guard: a name is judged by what it resolves to", () => {
    for (const own of ["localhost", "LOCALHOST.", "agent.localhost"]) {
      expect(judgeTarget(`http://${own}:8000/`, [])).toBe("refused");
    }
    expect(judgeTarget("https://seller.example/", [])).toBe("resolve");
  });

  test("address guard: the allow list opens a host, and with a port that port alone", () => {
    const allow = readAllowList("127.0.0.1:8000, LOCALHOST ,[::1]:9000,::2");
    expect(judgeTarget("http://127.0.0.1:8000/x", allow)).toBe("allowed");
    expect(judgeTarget("http://127.0.0.1:8001/x", allow)).toBe("refused");
    expect(judgeTarget("https://localhost:1/", allow)).toBe("allowed");
    expect(judgeTarget("http://[::1]:9000/", allow)).toBe("allowed");
    expect(judgeTarget("http://[::1]/", allow)).toBe("refused");
    expect(judgeTarget("http://[::2]:5/", allow)).toBe("allowed");
    expect(judgeTarget("http://127.0.0.1.example:8000/", allow)).toBe("resolve");
  });

  test("address guard: port 80 and 443 are those of the scheme", () => {
    const allow = readAllowList("10.0.0.1:80,10.0.0.2:443");
    expect(judgeTarget("http://10.0.0.1/", allow)).toBe("allowed");
    expect(judgeTarget("https://10.0.0.1/", allow)).toBe("refused");
    expect(judgeTarget("https://10.0.0.2/", allow)).toBe("allowed");
  });

  test("address guard: one host has one spelling, in the list and in the address", () => {
    const allow = readAllowList("Origin.Example., ::FFFF:10.0.0.1");
    expect(judgeTarget("http://origin.example/", allow)).toBe("allowed");
    expect(judgeTarget("http://ORIGIN.example.:81/", allow)).toBe("allowed");
    expect(judgeTarget("http://sub.origin.example/", allow)).toBe("resolve");
    expect(judgeTarget("http://10.0.0.1/", allow)).toBe("allowed");
    expect(judgeTarget("http://[::ffff:10.0.0.1]/", allow)).toBe("allowed");
    expect(judgeTarget("http://10.0.0.2/", allow)).toBe("refused");
  });

  test("address guard: a broken entry is named and opens nothing", () => {
    expect(allowListDefects("127.0.0.1, http://host")).toHaveLength(1);
    expect(allowListOf("127.0.0.1, http://host")).toEqual([{ host: "127.0.0.1", port: null }]);
  });

  test.each(["host:0", "host:99999", "http://host", "a b", "host:port", "user@host"])(
    "address guard: the allow list refuses %s with its cure",
    (entry) => {
      expect(() => readAllowList(entry)).toThrow(/neither a host nor host:port/);
    },
  );
});
