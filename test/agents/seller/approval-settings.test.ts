import { describe, expect, test } from "vitest";
import { sellerSettingsOf, sellerSettingTable } from "../../../agents/seller/config.ts";
import { readSettings } from "../../../protocol/neutral/settings.ts";

const gateOf = (environment: Record<string, string>) =>
  sellerSettingsOf(readSettings(sellerSettingTable, environment), "http://127.0.0.1:8000").approvalGate;

describe("settings of approvals", () => {
  test("by default nothing waits", () => {
    expect(gateOf({})).toEqual({ enabled: false, flows: [], aboveMicros: 0 });
  });

  test("flows are words between commas with blanks around them, and proposal_decision means proposal", () => {
    const environment = {
      APPROVAL_GATE_ENABLED: "true",
      APPROVAL_REQUIRED_FLOWS: " deal , proposal_decision,,proposal, negotiation,api_key ",
      APPROVAL_REQUIRED_ABOVE_VALUE: "50000.5",
    };
    const flows = ["deal", "proposal", "negotiation", "api_key"];
    expect(gateOf(environment)).toEqual({ enabled: true, flows, aboveMicros: 50_000_500_000 });
  });

  test.each([
    ["APPROVAL_REQUIRED_FLOWS", "deal,orders", /^APPROVAL_REQUIRED_FLOWS: "orders" is no flow; use any of proposal, /],
    ["APPROVAL_REQUIRED_FLOWS", "Deal", /^APPROVAL_REQUIRED_FLOWS: "Deal" is no flow/],
    ["APPROVAL_GATE_ENABLED", "perhaps", /^APPROVAL_GATE_ENABLED: /],
    ["APPROVAL_REQUIRED_ABOVE_VALUE", "-1", /^APPROVAL_REQUIRED_ABOVE_VALUE: /],
    ["APPROVAL_REQUIRED_ABOVE_VALUE", "much", /^APPROVAL_REQUIRED_ABOVE_VALUE: /],
    ["APPROVAL_TIMEOUT_HOURS", "0", /^APPROVAL_TIMEOUT_HOURS: /],
  ])("%s=%s stops the start and is named", (variable, value, message) => {
    expect(() => gateOf({ [variable]: value })).toThrow(message);
  });
});
