import { mkdtemp, writeFile } from "node:fs/promises";
import http from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pipeline, type Duplex } from "node:stream";
import zlib from "node:zlib";
import { createStoredIdentity } from "../../../agents/edge/runtimes/node/identity.ts";
import { startEdge } from "../../../agents/edge/runtimes/run.ts";
import { openLowdbStore } from "../../../storage/lowdb/driver.ts";

export type Role = "origin" | "raw" | "raw-auction" | "edge";

const listen = (server: http.Server): Promise<string> =>
  new Promise((resolve) => {
    server.listen(0, "127.0.0.1", () => resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}`));
  });

export const PAGES = ["story", "dense"] as const;

const TEXTS: Readonly<Record<(typeof PAGES)[number], { text: string; paragraphs: number }>> = {
  story: {
    text: "Text that nobody reads, but that a browser has to lay out all the same. ".repeat(5),
    paragraphs: 200,
  },
  dense: { text: "Text that nobody reads, but a browser has to lay out.", paragraphs: 450 },
};

export const pageOf = (page: (typeof PAGES)[number], origin: string): string => {
  const { text, paragraphs } = TEXTS[page];
  const paragraph =
    `<div class="story"><h2>A headline of some words</h2><p>${text}</p><a href="${origin}/story/1?from=front">more</a>` +
    '<img src="/img/1.jpg" alt="a picture"></div>\n';
  const head = "<!doctype html><html><head><title>Bench</title></head><body>\n";
  return `${head}${paragraph.repeat(paragraphs)}</body></html>`;
};

const FILLER = "p{margin:0;font:14px/1.4 Arial,sans-serif;color:#222}.cta{padding:4px 12px;border-radius:3px}".repeat(
  7,
);

/** As bidders send it: three addresses the same each time, pixel and click unique. */
const creative = (id: number): string =>
  `<style>${FILLER}.box{background:url(https://cdn.bidder.example/bg/300x250.png)}</style>` +
  '<script src="https://cdn.bidder.example/viewability/v3.js?slot=300x250" async></script>' +
  `<div class="box"><a href="https://click.bidder.example/c?imp=${id}&u=https%3A%2F%2Fshop.example%2F">` +
  '<img src="https://cdn.bidder.example/creative/8841/300x250.jpg" width="300" height="250" alt=""></a>' +
  `<img src="https://px.bidder.example/i.gif?imp=${id}&p=1.25" width="1" height="1" style="display:none"></div>`;

let bids = 0;

const bidAnswer = (): string => {
  bids += 1;
  const bid = (impid: string) => ({ id: `${impid}-${bids}`, impid, price: 2, adm: creative(bids), w: 300, h: 250 });
  return JSON.stringify({ cur: "USD", seatbid: [{ seat: "alpha", bid: ["slot-1", "slot-2"].map(bid) }] });
};

const BIDDER_MS = 50;

export const CODINGS = ["gzip", "deflate", "br"] as const;

type Coding = (typeof CODINGS)[number];

const { BROTLI_PARAM_QUALITY } = zlib.constants;
const BROTLI = { params: { [BROTLI_PARAM_QUALITY]: 4 } };

const coded: Readonly<Record<Coding, (text: string) => Buffer>> = {
  gzip: (text) => zlib.gzipSync(text),
  deflate: (text) => zlib.deflateSync(text),
  br: (text) => zlib.brotliCompressSync(text),
};

const recoders: Readonly<Record<Coding, () => [Duplex, Duplex]>> = {
  gzip: () => [zlib.createGunzip(), zlib.createGzip({ level: 4 })],
  deflate: () => [zlib.createInflate(), zlib.createDeflate({ level: 4 })],
  br: () => [zlib.createBrotliDecompress(), zlib.createBrotliCompress(BROTLI)],
};

const codingOf = (path: string): Coding | undefined => CODINGS.find((name) => path.startsWith(`/${name}/`));

const startOrigin = async (): Promise<string> => {
  const pages = new Map<string, string>();
  const codedPages = new Map<string, Buffer>();
  const server = http.createServer((request, response) => {
    const path = request.url ?? "/";
    request.resume();
    if (path.startsWith("/bid")) {
      setTimeout(() => response.writeHead(200, { "content-type": "application/json" }).end(bidAnswer()), BIDDER_MS);
    } else if (pages.has(path)) {
      const page = pages.get(path) ?? "";
      // The edge passes a charset that it does not rewrite.
      const charset = path.startsWith("/passed") ? "iso-8859-1" : "utf-8";
      const length = String(Buffer.byteLength(page));
      response.writeHead(200, { "content-type": `text/html; charset=${charset}`, "content-length": length }).end(page);
    } else if (codedPages.has(path)) {
      const headers = { "content-type": "text/html; charset=utf-8", "content-encoding": codingOf(path) };
      response.writeHead(200, headers).end(codedPages.get(path));
    } else if (path === "/slow-page") {
      response.writeHead(200, { "content-type": "text/html" });
      response.write("<!doctype html><html><head><title>Bench</title>");
      setTimeout(() => response.end("</head><body></body></html>"), 100);
    } else response.writeHead(200, { "content-type": "image/gif", "content-length": "2" }).end("ok");
  });
  server.keepAliveTimeout = 60_000;
  const url = await listen(server);
  for (const page of PAGES) {
    const text = pageOf(page, url);
    for (const way of ["passed", "rewritten"]) pages.set(`/${way}/${page}`, text);
    for (const coding of CODINGS) codedPages.set(`/${coding}/${page}`, coded[coding](text));
  }
  return url;
};

const agent = new http.Agent({ keepAlive: true });

/** The least a proxy can do; a coded page is decoded and encoded again. */
const startRaw = (origin: string): Promise<string> =>
  listen(
    http.createServer((request, response) => {
      const { hostname, port } = new URL(origin);
      const { method, url: path = "/" } = request;
      const headers = { ...request.headers, host: `${hostname}:${port}` };
      const upstream = http.request({ hostname, port, method, path, headers, agent }, (answer) => {
        const coding = codingOf(path);
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        if (coding === undefined) answer.pipe(response);
        else pipeline([answer, ...recoders[coding](), response], () => undefined);
      });
      upstream.on("error", () => response.destroy());
      request.pipe(upstream);
    }),
  );

const post = (origin: string, path: string, body: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const headers = { "content-type": "application/json", "content-length": Buffer.byteLength(body) };
    const request = http.request(`${origin}${path}`, { method: "POST", agent, headers }, (answer) => {
      const pieces: Buffer[] = [];
      answer.on("data", (piece: Buffer) => pieces.push(piece));
      answer.on("end", () => resolve(Buffer.concat(pieces).toString()));
    });
    request.on("error", reject);
    request.end(body);
  });

/** The least an auction can do. */
const startRawAuction = (origin: string): Promise<string> =>
  listen(
    http.createServer((request, response) => {
      const pieces: Buffer[] = [];
      request.on("data", (piece: Buffer) => pieces.push(piece));
      request.on("end", () => {
        const asked = JSON.stringify(JSON.parse(Buffer.concat(pieces).toString()));
        void Promise.all([post(origin, "/bid/1", asked), post(origin, "/bid/2", asked)]).then((answers) => {
          const bids = answers.map((text) => JSON.parse(text) as object);
          response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(bids[0]));
        });
      });
    }),
  );

export const TOKEN = "integration-test-token-alpha-32-bytes-ok";

const SECRETS = {
  proxy: "unit-test-proxy-secret",
  pass: "test-secret-key-32-bytes-minimum",
  token: TOKEN,
  admin: "correct horse battery staple",
};

const edgeConfig = (origin: string): string => `
[publisher]
domain = "pub.example"
origin_url = "${origin}"
proxy_secret = "proxy"
[ec]
passphrase = "pass"
ec_store = "ec-store"
[[ec.partners]]
name = "Alpha"
source_domain = "alpha.example"
api_token = "token"
batch_rate_limit = 1000000
[consent]
check_expiration = false
[[handlers]]
path = "^/_ts/admin"
username = "ops"
password = "admin"
[auction]
enabled = true
[auction.providers.one]
protocol = "openrtb-2.6"
endpoint = "${origin}/bid/1"
routing = "all_eligible"
[auction.providers.two]
protocol = "openrtb-2.6"
endpoint = "${origin}/bid/2"
routing = "all_eligible"
`;

export const writeEdgeFiles = async (origin: string): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), "parley-bench-edge-"));
  await writeFile(join(folder, "edge.toml"), edgeConfig(origin));
  await writeFile(join(folder, "secrets.json"), JSON.stringify(SECRETS));
  return folder;
};

export const IDENTITIES: readonly string[] = Array.from(
  { length: 1_000 },
  (_, index) => `${"a".repeat(60)}${index.toString(16).padStart(4, "0")}.Ab12Z9`,
);

const fillStore = async (dir: string): Promise<void> => {
  const store = await openLowdbStore({ dir });
  const identity = createStoredIdentity(store, "ec-store", Date.now);
  const body = JSON.stringify({ v: 1, created: 1, consent: { ok: true, updated: 1 }, geo: { country: "JP" } });
  await Promise.all(IDENTITIES.map((id) => identity.add({ id, body, metadata: "{}", ttlSeconds: 3_600 })));
  await store.close();
};

const startSut = async (origin: string): Promise<string> => {
  const folder = await writeEdgeFiles(origin);
  await fillStore(join(folder, "data"));
  const edge = await startEdge({
    port: 0,
    host: "127.0.0.1",
    config: join(folder, "edge.toml"),
    secrets: join(folder, "secrets.json"),
    runtime: "A",
    data: join(folder, "data"),
    environment: { OUTBOUND_ALLOW: "127.0.0.1" },
  });
  return edge.url;
};

const START: Readonly<Record<Role, (origin: string) => Promise<string>>> = {
  origin: startOrigin,
  raw: startRaw,
  "raw-auction": startRawAuction,
  edge: startSut,
};

export const play = async (role: Role, origin: string): Promise<void> => {
  process.on("disconnect", () => process.exit(0));
  process.on("message", () => {
    const { user, system } = process.cpuUsage();
    process.send?.({ cpuMicros: user + system, rssBytes: process.memoryUsage().rss });
  });
  process.send?.({ url: await START[role](origin) });
};
