import { expect, test } from "vitest";
import { addressBlock } from "../../protocol/neutral/address-block.ts";
import { anonymousCaller } from "../../protocol/seam/caller.ts";

test.each([
  ["203.0.113.7", "203.0.113.7"],
  ["::ffff:203.0.113.7", "203.0.113.7"],
  ["::FFFF:203.0.113.7", "203.0.113.7"],
  ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
  ["2001:0DB8:0001:0002::1", "2001:db8:1:2::/64"],
  ["2001:db8::1", "2001:db8:0:0::/64"],
  ["::1", "0:0:0:0::/64"],
  ["::", "0:0:0:0::/64"],
  ["fe80::1%eth0", "fe80:0:0:0::/64"],
  ["1:2:3:4:5:6:7::", "1:2:3:4::/64"],
  ["unknown", "unknown"],
  ["", ""],
])("limits: %s counts as %s", (address, block) => {
  expect(addressBlock(address)).toBe(block);
});

test("limits: a caller that changes its address within its network counts as one", () => {
  expect(anonymousCaller("2001:db8:1:2::a").limitKey).toBe(anonymousCaller("2001:db8:1:2:ffff::b").limitKey);
  expect(anonymousCaller("2001:db8:1:3::a").limitKey).not.toBe(anonymousCaller("2001:db8:1:2::a").limitKey);
});
