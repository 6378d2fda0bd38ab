import { randomBytes } from "node:crypto";
import { connect, type Socket } from "node:net";
import { Readable } from "node:stream";
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import { request } from "undici";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { type Sample, serveSample } from "./sample.ts";

let sample: Sample;
/** Short timeouts: only what stalls goes here, as a loaded machine is slow too. */
let impatient: Sample;
let commits = 0;
beforeAll(async () => {
  [sample, impatient] = await Promise.all([
    serveSample(),
    serveSample({ requestTimeoutMs: 600, headersTimeoutMs: 300 }),
  ]);
});
afterAll(() => Promise.all([sample.close(), impatient.close()]));
beforeEach(() => {
  commits = sample.store.commits.length;
});

interface Said {
  readonly status: number;
  readonly body: { readonly error: string; readonly message: string; readonly detail: unknown };
}

const send = async (body: string | Buffer, headers: Record<string, string> = {}): Promise<Said> => {
  const options = { method: "POST" as const, body, headers: { "content-type": "application/json", ...headers } };
  const answer = await request(`${sample.url}/api/v1/notes`, options);
  return { status: answer.statusCode, body: (await answer.body.json()) as Said["body"] };
};

const refused = async (said: Promise<Said>, status: number, code: string): Promise<void> => {
  const { status: got, body } = await said;
  expect([got, body.error]).toEqual([status, code]);
  expect(body.message.length).toBeGreaterThan(10);
  expect(sample.store.commits.length).toBe(commits);
  expect((await fetch(`${sample.url}/health`)).status).toBe(200);
};

const tenMegabytes = JSON.stringify({ text: "x".repeat(10_000_000) });

test("hostile: 10 MB with a length is 413", () => refused(send(tenMegabytes), 413, "body_too_large"));

test("hostile: 10 MB in chunks is 413", async () => {
  const pieces = async function* () {
    for (let at = 0; at < 160; at += 1) yield Buffer.alloc(65_536, 0x20);
  };
  const answer = await request(`${sample.url}/api/v1/notes`, {
    method: "POST",
    body: Readable.from(pieces()),
    headers: { "content-type": "application/json" },
  });
  expect(answer.statusCode).toBe(413);
  await answer.body.dump();
});

test("hostile: a gzip bomb is 413", () =>
  refused(send(gzipSync(Buffer.alloc(50_000_000, 0x20)), { "content-encoding": "gzip" }), 413, "body_too_large"));

test("hostile: 1 MiB is taken, one byte more is not", async () => {
  const bytes = 1_048_576;
  const fits = `${" ".repeat(bytes - 12)}{"text":"a"}`;
  expect((await send(fits)).status).toBe(201);
  commits = sample.store.commits.length;
  await refused(send(` ${fits}`), 413, "body_too_large");
});

test.each([
  ["gzip", gzipSync],
  ["deflate", deflateSync],
  ["br", brotliCompressSync],
] as const)("hostile: an honest %s body is read", async (encoding, compress) => {
  expect((await send(compress('{"text":"squeezed"}'), { "content-encoding": encoding })).status).toBe(201);
});

test.each(["gzip", "deflate", "br"])("hostile: broken %s is 400", (encoding) =>
  refused(send("this is not compressed", { "content-encoding": encoding }), 400, "malformed_body"),
);

test("hostile: gzip that stops in the middle is 400", () =>
  refused(
    send(gzipSync(`{"text":"${"y".repeat(500)}"}`).subarray(0, 30), { "content-encoding": "gzip" }),
    400,
    "malformed_body",
  ));

test("hostile: an unknown encoding is 415", () =>
  refused(send("{}", { "content-encoding": "zstd" }), 415, "unsupported_media_type"));

test.each([
  ["text/plain"],
  ["application/x-www-form-urlencoded"],
  ["multipart/form-data; boundary=x"],
  ["application/jsonp"],
  [";"],
])("hostile: the content type %j is 415", (type) =>
  refused(send('{"text":"a"}', { "content-type": type }), 415, "unsupported_media_type"),
);

test.each([["application/json; charset=utf-8"], ["application/vnd.iab.agentic-audiences+json"], ["APPLICATION/JSON"]])(
  "hostile: the content type %j is JSON",
  async (type) => expect((await send('{"text":"a"}', { "content-type": type })).status).toBe(201),
);

test.each([
  ["33 levels", `${"[".repeat(33)}${"]".repeat(33)}`],
  ["10,000 levels", `${'{"a":'.repeat(10_000)}1${"}".repeat(10_000)}`],
  ["300,000 levels, never closed", "[".repeat(300_000)],
])("hostile: %s are 400", (_name, body) => refused(send(body), 400, "body_too_deep"));

test.each([
  ["broken JSON", '{"text":'],
  ["a primitive", "7"],
  ["null", "null"],
  ["a list", '[{"text":"a"}]'],
  ["NaN", '{"text":"a","stars":NaN}'],
  ["an infinite number", '{"text":"a","stars":1e400}'],
  ["a negative number", '{"text":"a","stars":-1}'],
  ["a fraction for an integer", '{"text":"a","stars":1.5}'],
  ["a text too long", `{"text":"${"a".repeat(101)}"}`],
  ["an empty body", ""],
])("hostile: %s is 422", (_name, body) => refused(send(body), 422, "validation_error"));

test("hostile: bytes that are no UTF-8 are 422", () =>
  refused(
    send(Buffer.from([...Buffer.from('{"text":"'), 0xc3, 0x28, 0xff, ...Buffer.from('"}')])),
    422,
    "validation_error",
  ));

test("hostile: bytes in chunks that are no UTF-8 are 422", async () => {
  const body = Buffer.from([...Buffer.from('{"text":"'), 0xc3, 0x28, ...Buffer.from('"}')]);
  await refused(send(gzipSync(body), { "content-encoding": "gzip" }), 422, "validation_error");
});

test.each([
  ["plain", {}, (text: string) => Buffer.from(text)],
  ["gzip", { "content-encoding": "gzip" }, gzipSync],
] as const)("hostile: U+FFFD that was sent is a character like others (%s)", async (_name, headers, encoded) => {
  const { status, body } = await send(encoded('{"text":"a\uFFFD \u00e9 \u{1f4a9}"}'), headers);
  expect(status).toBe(201);
  expect(body).toMatchObject({ text: "a\uFFFD \u00e9 \u{1f4a9}" });
});

test("hostile: prototype keys are dropped and change nothing", async () => {
  const said = await send('{"text":"a","__proto__":{"stars":5},"constructor":{"prototype":{"polluted":1}}}');
  expect(said.status).toBe(201);
  expect(said.body).not.toHaveProperty("polluted");
  expect(said.body).toMatchObject({ stars: 0 });
  expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
});

const raw = (text: string, more?: (socket: Socket) => void, { port }: Sample = sample): Promise<string> =>
  new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1", () => {
      socket.write(text);
      more?.(socket);
    });
    let got = "";
    socket.setEncoding("utf8");
    socket.on("data", (piece) => (got += piece));
    socket.on("error", () => resolve(got));
    socket.on("close", () => resolve(got));
  });

test.each(["/api/v1/notes/%E0%A4%A", "/api/v1/notes/%", "/api/v1/notes/%FF", "/api/v1/notes/report?phrase=%ZZ"])(
  "hostile: the malformed path %s is 400",
  async (path) => {
    const answer = await raw(`GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(answer).toContain('"malformed_url"');
  },
);

test.each(["http://[::1/health", "http://[/x", "x://[", "http://", "ftp://x/health", "http://x:99999/health"])(
  "hostile: the target %s is 400",
  async (target) => {
    for (const method of ["GET", "POST"]) {
      const answer = await raw(`${method} ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
      expect(answer).toMatch(/^HTTP\/1\.1 400 /);
      expect(answer).toContain('"malformed_url"');
    }
  },
);

test("hostile: a target that an URL parser would stumble over is simply not found", async () => {
  const answer = await raw("GET //a@[b#x HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
  expect(answer).toMatch(/^HTTP\/1\.1 40[04] /);
});

test("hostile: an absolute target is taken for its path and query", async () => {
  const report = await raw(
    "GET HTTP://other.example:81/api/v1/notes/report?phrase=hi HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
  );
  expect(report).toMatch(/^HTTP\/1\.1 200 [^]*\{"phrase":"hi"\}$/);
  expect(await raw("GET http://x HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")).toContain('"docs":"/docs"');
});

const told = (answer: string, status: number, code: string): void => {
  expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
  expect(answer).toMatch(/\r\nRequest-Id: [0-9a-f-]{36}\r\n/);
  expect(JSON.parse(answer.slice(answer.indexOf("\r\n\r\n") + 4))).toMatchObject({ error: code });
};

test.each([
  ["no Host", "", 400, "malformed_request"],
  ["two Hosts", "Host: x\r\nhOST: y\r\n", 400, "malformed_request"],
  ["an Expect of its own", "Host: x\r\nExpect: zz\r\n", 417, "expectation_failed"],
])("hostile: a request with %s is told what is wrong", async (_name, header, status, code) => {
  told(await raw(`GET /health HTTP/1.1\r\n${header}Connection: close\r\n\r\n`), status, code);
});

test("hostile: HTTP/1.0 needs no Host, and 100-continue is met", async () => {
  expect(await raw("GET /health HTTP/1.0\r\n\r\n")).toMatch(/^HTTP\/1\.1 200 /);
  const head = "POST /api/v1/notes HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nConnection: close\r\n";
  const answer = await raw(`${head}Content-Length: 12\r\n\r\n{"text":"a"}`);
  expect(answer).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 201 /);
});

test("hostile: CONNECT is answered, and its connection closed", async () => {
  const answer = await raw("CONNECT other.example:443 HTTP/1.1\r\nHost: other.example:443\r\n\r\n");
  told(answer, 405, "method_not_allowed");
  expect(answer).toMatch(/\r\nAllow: DELETE, GET, HEAD, OPTIONS, POST, PUT\r\n/);
});

test("hostile: a chunk without a size is a malformed body", async () => {
  const head = "POST /api/v1/notes HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n";
  told(await raw(`${head}zz\r\n{}\r\n0\r\n\r\n`), 400, "malformed_body");
});

test.each(["%00", "%0d%0aSet-Cookie:a=b", "..%2f..%2fetc%2fpasswd", "%F0%9F%92%A9", "a".repeat(4000)])(
  "hostile: the id %s is simply not found",
  async (id) => {
    const answer = await raw(`GET /api/v1/notes/${id} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
    expect(answer).toMatch(/^HTTP\/1\.1 404 /);
    expect(answer).not.toMatch(/^set-cookie/im);
  },
);

test("hostile: a body that is cut off stores nothing", async () => {
  await raw('POST /api/v1/notes HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{"text":', (socket) => {
    setTimeout(() => socket.destroy(), 20);
  });
  expect(sample.store.commits.length).toBe(commits);
  expect((await fetch(`${sample.url}/health`)).status).toBe(200);
});

test("hostile: a caller that ends before its body does is told so", async () => {
  const cut = 'POST /api/v1/notes HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{"text":';
  const answer = await raw(cut, (socket) => socket.end());
  expect(answer).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
  expect(answer).toContain('"malformed_body"');
  expect(sample.store.commits.length).toBe(commits);
});

test("hostile: a client that stalls in the body or in the headers gets 408", async () => {
  const cut = 'POST /api/v1/notes HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{"text":';
  const inBody = await raw(cut, undefined, impatient);
  expect(inBody).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\n/);
  expect(inBody).toContain('"request_timeout"');
  expect(inBody).toMatch(/\r\nRequest-Id: [0-9a-f-]{36}\r\n/);
  const inHeaders = await raw("GET /health HTTP/1.1\r\nHost: x\r\nX-Slow:", undefined, impatient);
  expect(inHeaders).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\n/);
  expect(impatient.store.commits.length).toBe(0);
});

test("hostile: a refused upload that then stalls gets one answer and no second one", async () => {
  const head = "POST /api/v1/notes HTTP/1.1\r\nHost: x\r\nContent-Type: text/plain\r\nContent-Length: 100\r\n\r\n";
  const answer = await raw(`${head}{`, undefined, impatient);
  expect(answer.match(/HTTP\/1\.1 \d{3}/g)).toEqual(["HTTP/1.1 415"]);
});

test.each([
  ["plain", "", Buffer.alloc(3_000_000, 0x20)],
  ["gzip", "Content-Encoding: gzip\r\n", gzipSync(randomBytes(3_000_000))],
])(
  "hostile: after a %s body that was too large the connection serves the next request",
  async (_name, header, body) => {
    const head = `POST /api/v1/notes HTTP/1.1\r\nHost: x\r\n${header}Content-Length: ${body.length}\r\n\r\n`;
    const answers = await raw(head, (socket) => {
      socket.write(body);
      socket.write("GET /health HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
    });
    expect(answers.match(/HTTP\/1\.1 \d{3}/g)).toEqual(["HTTP/1.1 413", "HTTP/1.1 200"]);
  },
);

test.each([
  ["with a length", "Content-Length: 3000000", Buffer.alloc(3_000_000, 0x20)],
  ["in chunks", "Transfer-Encoding: chunked", Buffer.from(`2dc6c0\r\n${" ".repeat(3_000_000)}\r\n0\r\n\r\n`)],
])("hostile: a body %s that is too large is answered before its connection closes", async (_name, header, body) => {
  const head = `POST /api/v1/notes HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${header}\r\n\r\n`;
  for (let sent = 0; sent < 10; sent += 1) {
    told(await raw(head, (socket) => void socket.write(body)), 413, "body_too_large");
  }
});

test("hostile: a body whose rest never comes does not keep its connection", async () => {
  const head = "POST /api/v1/notes HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 3000000\r\n\r\n{";
  told(await raw(head), 413, "body_too_large");
});

test("hostile: headers beyond 16 kB are 431, and no HTTP at all is 400", async () => {
  const wide = await raw(`GET /health HTTP/1.1\r\nHost: x\r\nX-Wide: ${"w".repeat(40_000)}\r\n\r\n`);
  told(wide, 431, "headers_too_large");
  told(await raw("\u0016\u0003\u0001 not http\r\n\r\n"), 400, "malformed_request");
});

test("hostile: content length and chunks together are refused", async () => {
  const smuggled =
    "POST /api/v1/notes HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n";
  expect(await raw(smuggled)).toMatch(/^HTTP\/1\.1 400 /);
});

test("hostile: a key given in two headers of one name is no key", async () => {
  const twice = await raw(
    "DELETE /api/v1/notes HTTP/1.1\r\nHost: x\r\nX-Api-Key: sample-operator-key\r\nX-Api-Key: other\r\nConnection: close\r\n\r\n",
  );
  expect(twice).toMatch(/^HTTP\/1\.1 401 /);
});

test("hostile: no bug was logged by any of this", () => {
  expect(sample.logged.filter((line) => line.message === "bug")).toEqual([]);
});
