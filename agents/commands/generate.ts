import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { cardForms } from "../../protocol/a2a/card/card.ts";
import type { OpenApiDocument } from "../../protocol/openapi/document.ts";
import { refusalTable } from "../../protocol/neutral/refusals.ts";
import { apiDocument } from "../../protocol/rest/pages/pages.ts";
import { openLowdbStore } from "../../storage/lowdb/driver.ts";
import { toolCatalog } from "../../tools/catalog.ts";
import { specCard } from "../server/agent-card.ts";
import { buyerSettingTable } from "../buyer/config.ts";
import { composeBuyer } from "../buyer/launch.ts";
import { consoleOperations } from "./console-operations.ts";
import { tsjsModule } from "../edge/runtimes/bundle.ts";
import type { Composed } from "../server/composed.ts";
import { cardFacts, doorsOf, specFacts } from "../server/launch.ts";
import type { ServerConfig } from "../server/server-settings.ts";
import { pageParts } from "../server/serve.ts";
import { clientSource } from "./client-source.ts";
import { requestCollection } from "./request-collection.ts";
import { createCatalog } from "../seller/catalog/catalog.ts";
import { defaultProducts } from "../seller/catalog/default-products.ts";
import { sellerSettingTable } from "../seller/config.ts";
import { sellerExamples } from "../seller/examples.ts";
import { composeSeller } from "../seller/launch.ts";
import { fileVariable, readSettings, type SettingTable } from "../../protocol/neutral/settings.ts";
import { drawn } from "../../skills/seller/oversight/machines.ts";
import { machineKinds } from "../../skills/seller/oversight/meanings.ts";
import { metricsDocument } from "./metrics-document.ts";

const silent = { info: () => undefined, warn: () => undefined, error: () => undefined };

const asJson = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

const host = "127.0.0.1";

/** The examples keep the days on which they were played, so that the file is the same tomorrow. */
const documentOf = (composed: Composed, config: ServerConfig): OpenApiDocument => {
  const { routes } = doorsOf(composed, { config, host });
  const parts = pageParts(composed.agent, routes, { readiness: async () => "ready" });
  return apiDocument(parts.examples === undefined ? parts : { ...parts, examples: sellerExamples });
};

const surfaceOf = (composed: Composed, config: ServerConfig): ReadonlyMap<string, string> => {
  const { agent, face } = composed;
  const { contracts } = agent.runner;
  const cards = cardForms(cardFacts(agent, face));
  const below = `docs/surface/${agent.name}`;
  const document = documentOf(composed, config);
  const name = agent.name === "buyer" ? "buyer" : "seller";
  const doors = contracts.map(({ name, group, effect, access, refusals, rest }) => ({
    ...{ name, group, effect, access, refusals },
    ...(rest === undefined ? {} : { rest: { method: rest.method, path: rest.path } }),
  }));
  return new Map([
    [`${below}/openapi.json`, asJson(document)],
    [`${below}/collection.json`, asJson(requestCollection(name, face.publicUrl, contracts, document))],
    [`protocol/client-package/${name}.generated.ts`, clientSource(name, contracts)],
    [`${below}/tools.json`, asJson(toolCatalog(contracts).entries)],
    [`${below}/operations.json`, asJson(doors)],
    [`${below}/agent.json`, asJson(specCard(specFacts(agent, face)))],
    [`${below}/agent-card-0.3.json`, asJson(cards["0.3"])],
    [`${below}/agent-card-1.0.json`, asJson(cards["1.0"])],
  ]);
};

const settingRows = (table: SettingTable): string =>
  Object.values(table)
    .map(({ variable, secret, form, shownDefault, meaning }) => {
      const names = secret === true ? `\`${variable}\`, \`${fileVariable(variable)}\`` : `\`${variable}\``;
      return `| ${names} | ${form} | ${shownDefault} | ${meaning.replaceAll("|", "\\|")} |`;
    })
    .join("\n");

const configuration = (): string => `# Configuration

Every setting is an environment variable; a wrong value stops the start and names the variable. This page is generated
from the tables that the program reads (\`npm run gen\`); \`parley seller --help\` and \`parley buyer --help\` show
the same rows.

**Settings file.** \`--config FILE\`, or \`PARLEY_CONFIG=FILE\` for every command, names a TOML file of the same
settings, in small letters. Settings of one agent stand below its name; those that both agents have may stand above,
for both. What the environment sets goes before the file, an agent's own table before the top.

\`\`\`toml
log_level = "info"
database_url_file = "/run/secrets/database_url"

[seller]
port = 8000
seller_agent_url = "https://seller.example"
approval_required_flows = ["deal", "proposal"]

[buyer]
seller_endpoints = ["https://seller.example"]
\`\`\`

**Secrets.** A secret setting has a second name that ends in \`_FILE\`: the path of a file that holds the value. Owner
and group alone may read that file (\`chmod o=\`), and a settings file that holds a secret itself. Paths start at the
working directory.

\`parley config check --agent seller\` reads everything as a start does and prints each setting with where it is from,
secrets masked; it ends with 1 where a start would stop, and says of variables that are spelled almost as a setting.

## Seller

| Variable | Form | Default | Meaning |
|---|---|---|---|
${settingRows(sellerSettingTable)}

## Buyer

| Variable | Form | Default | Meaning |
|---|---|---|---|
${settingRows(buyerSettingTable)}
`;

export const generatedFiles = async (root: string): Promise<ReadonlyMap<string, string>> => {
  const dir = await mkdtemp(join(tmpdir(), "parley-generate-"));
  const sellerStore = await openLowdbStore({ dir: join(dir, "seller") });
  const buyerStore = await openLowdbStore({ dir: join(dir, "buyer") });
  const catalog = createCatalog(defaultProducts);
  const sellerConfig = readSettings(sellerSettingTable, {});
  const seller = composeSeller({ config: sellerConfig, catalog, log: silent }, sellerStore, `http://${host}:8000`);
  const buyerConfig = readSettings(buyerSettingTable, {});
  const buyer = composeBuyer({ config: buyerConfig, log: silent }, buyerStore, `http://${host}:8001`);
  try {
    return new Map([
      ...surfaceOf(seller, sellerConfig),
      ...surfaceOf(buyer, buyerConfig),
      ["docs/surface/refusals.json", asJson(refusalTable)],
      ["docs/surface/machines.json", asJson(machineKinds.map((kind) => ({ kind, ...drawn(kind) })))],
      ["docs/configuration.md", configuration()],
      ["docs/metrics.md", await metricsDocument()],
      ["agents/edge/publisher/tsjs.generated.ts", await tsjsModule()],
      consoleOperations(root, "seller", seller.agent.runner.contracts),
      consoleOperations(root, "buyer", buyer.agent.runner.contracts),
    ]);
  } finally {
    await seller.agent.stop();
    await buyer.agent.stop();
    await sellerStore.close();
    await buyerStore.close();
    await rm(dir, { recursive: true, force: true });
  }
};

export const writeGenerated = async (root: string): Promise<void> => {
  for (const [path, text] of await generatedFiles(root)) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), text);
  }
};
