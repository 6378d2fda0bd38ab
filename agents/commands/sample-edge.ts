import { randomBytes } from "node:crypto";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { type StartedEdge, startEdge } from "../edge/command.ts";
import { portFailure } from "../server/port.ts";
import { answerSample } from "./sample-site.ts";

/** The seller whose deals the sample page shows, and its products. */
export interface SampleSeller {
  readonly url: string;
  readonly key: string;
  readonly products: readonly string[];
  /** That the sample's buyer bids for. */
  readonly seat: string;
}

const dealsOf = ({ url, products }: SampleSeller): string => `
[deals]
seller_url = "${url}"
api_key = "seller-key"
sandbox = true
refresh_ms = 5000

[deals.slots]
${products.map((id) => `${JSON.stringify(id)} = ["top"]`).join("\n")}
`;

const configuration = (
  origin: string,
  seller: SampleSeller | null,
): string => `# Written at every start of parley all: the sample site's port is new each time.
[publisher]
domain = "sample.example"
origin_url = "${origin}"
proxy_secret = "proxy-secret"

[ec]
passphrase = "passphrase"

[[handlers]]
path = "^/_ts/admin"
username = "ops"
password = "admin-password"

[[geo.networks]]
cidr = "127.0.0.0/8"
country = "CA"

[proxy]
allowed_domains = ["alpha.example", "beta.example"]

[auction]
enabled = true

[auction.providers.alpha-exchange]
protocol = "openrtb-2.6"
profile = "standard"
endpoint = "${origin}/bidders/alpha"

[auction.providers.beta-exchange]
protocol = "openrtb-2.6"
profile = "standard"
endpoint = "${origin}/bidders/beta"
${seller === null ? "" : `seats = [${JSON.stringify(seller.seat)}]\n`}
[auction.bidders.alpha]
provider = "alpha-exchange"

[auction.bidders.beta]
provider = "beta-exchange"

[creative_opportunities]
gam_network_id = "1234"

[[creative_opportunities.slot]]
id = "top"
page_patterns = ["/*"]
formats = [{ width = 300, height = 250 }]
floor_price = 0.5

[creative_opportunities.slot.providers.prebid.bidders]
alpha = { placement = "top" }
beta = { placement = "top" }
${seller === null ? "" : dealsOf(seller)}`;

/** Made once, so that what was signed before a restart stays valid; the seller's key is new at every start. */
const secretsFile = async (dir: string, seller: SampleSeller | null): Promise<string> => {
  const file = join(dir, "secrets.json");
  const known = await readFile(file, "utf8").then(
    (text) => JSON.parse(text) as Record<string, string>,
    () => ({}),
  );
  const names = ["proxy-secret", "passphrase", "admin-password"];
  const made = Object.fromEntries(names.map((name) => [name, randomBytes(32).toString("hex")]));
  const secrets = { ...made, ...known, ...(seller === null ? {} : { "seller-key": seller.key }) };
  await writeFile(file, `${JSON.stringify(secrets, null, 2)}\n`, { mode: 0o600 });
  return file;
};

export const startSampleEdge = async (
  host: string,
  port: number,
  dir: string,
  seller: SampleSeller | null = null,
): Promise<StartedEdge> => {
  await mkdir(dir, { recursive: true, mode: 0o700 });
  const site = createServer((request, response) => {
    answerSample(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => site.listen(0, "127.0.0.1", resolve));
  const authority = `127.0.0.1:${(site.address() as AddressInfo).port}`;
  const closeSite = async (): Promise<void> => {
    site.closeAllConnections();
    await new Promise((resolve) => site.close(resolve));
  };
  const config = join(dir, "edge.toml");
  await writeFile(config, configuration(`http://${authority}`, seller), { mode: 0o600 });
  const hosts = seller === null ? [] : [new URL(seller.url).host];
  const environment = { ...process.env, OUTBOUND_ALLOW: [authority, ...hosts].join(",") };
  const secrets = await secretsFile(dir, seller);
  const files = { config, secrets, data: join(dir, "data") };
  const edge = await startEdge({ port, host, ...files, runtime: "A", environment }).catch(async (error: unknown) => {
    await closeSite();
    const { code, syscall } = error as NodeJS.ErrnoException;
    throw syscall === "listen" ? portFailure(code ?? "", host, port) : error;
  });
  const close = async (): Promise<void> => {
    await edge.close();
    await closeSite();
  };
  return { ...edge, close };
};
