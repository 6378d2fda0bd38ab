import { applyCommit } from "./0002-functions.ts";

/**
 * Databases that were made before the sums of deals existed lack what the first two migrations have had since: both
 * were changed in place. Here a database of either time becomes the same.
 */
export const sums = `
CREATE TABLE IF NOT EXISTS {schema}.sums (
  sum text COLLATE "C" NOT NULL,
  slot bigint NOT NULL,
  shard integer NOT NULL,
  amounts numeric[] NOT NULL,
  PRIMARY KEY (sum, slot, shard)
) WITH (fillfactor = 50);

CREATE OR REPLACE ${applyCommit}`;
