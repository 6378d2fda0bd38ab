import { describe, expect, test } from "vitest";
import { sellerSettingsOf, sellerSettingTable } from "../../../../agents/seller/config.ts";
import { readSettings } from "../../../../protocol/neutral/settings.ts";

const settingsOf = (environment: Readonly<Record<string, string>>) =>
  sellerSettingsOf(readSettings(sellerSettingTable, environment), "http://127.0.0.1:8000");

describe("settings of the ad server", () => {
  test("nothing set: no ad server, no schedule, 5,000 active packages", () => {
    const settings = settingsOf({});
    expect(settings.adServer).toEqual({ type: "none" });
    expect(settings.inventorySync).toEqual({ enabled: false, intervalMinutes: 60 });
    expect(settings.mostActivePackages).toBe(5000);
  });

  test("each type takes its own place", () => {
    expect(settingsOf({ AD_SERVER_TYPE: "csv", CSV_DATA_DIR: "/srv/export" }).adServer).toEqual({
      type: "csv",
      dir: "/srv/export",
      includeArchived: false,
    });
    const feed = { AD_SERVER_TYPE: "http", AD_SERVER_FEED_URL: "https://ads.example/items", AD_SERVER_FEED_TOKEN: "t" };
    expect(settingsOf({ ...feed, INVENTORY_SYNC_INCLUDE_ARCHIVED: "true" }).adServer).toEqual({
      type: "http",
      feedUrl: "https://ads.example/items",
      token: "t",
      includeArchived: true,
    });
  });

  test.each([
    [{ AD_SERVER_TYPE: "csv" }, "CSV_DATA_DIR"],
    [{ AD_SERVER_TYPE: "http" }, "AD_SERVER_FEED_URL"],
    [{ AD_SERVER_TYPE: "http", AD_SERVER_FEED_URL: "ftp://ads.example" }, "AD_SERVER_FEED_URL"],
    [{ AD_SERVER_TYPE: "gam" }, "AD_SERVER_TYPE"],
    [{ INVENTORY_SYNC_INTERVAL_MINUTES: "0" }, "INVENTORY_SYNC_INTERVAL_MINUTES"],
    [{ MAX_ACTIVE_PACKAGES: "1.5" }, "MAX_ACTIVE_PACKAGES"],
  ])("%j stops the start and names %s", (environment, variable) => {
    expect(() => settingsOf(environment)).toThrow(new RegExp(`^${variable}: `));
  });
});
