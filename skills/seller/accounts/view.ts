import type { z } from "zod";
import type { account } from "./contract.ts";
import type { AccountRow } from "./record.ts";

export const accountView = (row: AccountRow): z.input<typeof account> => ({
  account_id: row.account_id,
  name:
    row.operator === row.brand_domain
      ? (row.brand_id ?? row.brand_domain)
      : `${row.brand_id ?? row.brand_domain} via ${row.operator}`,
  brand_domain: row.brand_domain,
  brand_id: row.brand_id,
  operator: row.operator,
  billing: row.billing,
  status: row.status,
  sandbox: row.sandbox,
  revision: row.revision,
});
