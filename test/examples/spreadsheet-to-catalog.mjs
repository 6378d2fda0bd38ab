// Makes a catalog of a rate card as publishers keep it: their own column names, prices with a comma, days in words.
//   node test/examples/spreadsheet-to-catalog.mjs test/examples/rate-card.csv > catalog.csv && parley seller --catalog catalog.csv
import { readFileSync } from "node:fs";
import { parse } from "csv-parse/sync";

const rows = parse(readFileSync(process.argv[2]), { columns: true, delimiter: ";", bom: true, trim: true });

/** As on the continent: `1.250,50`. Anything else is an error, for a price that is read wrongly is sold. */
const number = (text) => {
  if (!/^(\d{1,3}(\.\d{3})*|\d+)?(,\d+)?$/.test(text)) throw new Error(`${JSON.stringify(text)} is no number`);
  return text.replaceAll(".", "").replace(",", ".");
};

const types = { Display: "display", Video: "video", CTV: "ctv", Audio: "audio", Native: "native" };
const sold = { guaranteed: "PG|PD", fixed: "PD", auction: "PA" };

const columns = {
  product_id: (row) => row.No,
  name: (row) => row.Placement,
  description: (row) => `${row.Section}, ${row.Format}`,
  inventory_type: (row) => types[row.Channel] ?? "display",
  deal_types: (row) => sold[row.Sold],
  base_cpm: (row) => number(row["Rate (CPM)"]),
  floor_cpm: (row) => number(row["Lowest"]),
  currency: (row) => row.Currency,
  minimum_impressions: (row) => number(row["From"]),
  maximum_impressions: (row) => number(row["Room"]),
};

const cell = (text = "") => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
const lines = rows.map((row, at) => {
  try {
    return Object.values(columns)
      .map((read) => cell(read(row)))
      .join(",");
  } catch (error) {
    throw new Error(`line ${at + 2}: ${error.message}`);
  }
});
console.log([Object.keys(columns).join(","), ...lines].join("\n"));
