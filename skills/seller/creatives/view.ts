import type { z } from "zod";
import { isoTime } from "../../../protocol/neutral/iso-time.ts";
import type { listCreatives } from "./contract.ts";
import type { CreativeRow } from "./record.ts";

export const creativeView = (row: CreativeRow): z.input<typeof listCreatives.output>["creatives"][number] => ({
  creative_id: row.creative_id,
  name: row.name,
  format_id: row.format_id,
  status: row.life.value,
  rejection_reason: row.life.context.rejectionReason,
  assets: { ...row.assets },
  account_id: row.account_id,
  created_at: isoTime(row.created_at_ms),
  updated_at: isoTime(row.updated_at_ms),
  buyer: row.owner,
  sandbox: row.sandbox,
  revision: row.revision,
});
