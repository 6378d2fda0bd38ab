import { randomBytes } from "node:crypto";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { type StartedEdge, startEdge } from "../edge/command.ts";
import { portFailure } from "../server/port.ts";
import { answerSample } from "./sample-site.ts";

const configuration = (
  origin: string,
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
`;

/** Made once, so that what was signed before a restart stays valid. */
const secretsFile = async (dir: string): Promise<string> => {
  const file = join(dir, "secrets.json");
  const known = await readFile(file, "utf8").catch(() => null);
  if (known === null) {
    const names = ["proxy-secret", "passphrase", "admin-password"];
    const secrets = Object.fromEntries(names.map((name) => [name, randomBytes(32).toString("hex")]));
    await writeFile(file, `${JSON.stringify(secrets, null, 2)}\n`, { mode: 0o600 });
  }
  return file;
};

export const startSampleEdge = async (host: string, port: number, dir: string): Promise<StartedEdge> => {
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
  await writeFile(config, configuration(`http://${authority}`), { mode: 0o600 });
  const environment = { ...process.env, OUTBOUND_ALLOW: authority };
  const secrets = await secretsFile(dir);
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
