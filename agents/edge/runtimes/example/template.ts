/** Text of each file of a new application, by its name in the application's folder. */
export const templateFiles = (name: string): Readonly<Record<string, string>> => ({
  "package.json": `${JSON.stringify(
    {
      name,
      version: "0.1.0",
      private: true,
      type: "module",
      scripts: { start: "parley edge dev --dir .", test: "node --test" },
    },
    null,
    2,
  )}\n`,
  [`${name}.toml`]: `# Settings of the application; handlers read them as \`context.config\`.
greeting = "hello from ${name}"

[service]
# Milliseconds that a handler may take, from 100 to 60000.
timeout_ms = 1500
`,
  "app.js": `/**
 * Routes of ${name}. A handler takes a web \`Request\` and a context with \`params\` (the parts of the path),
 * \`config\` (${name}.toml) and \`name\`, and answers a web \`Response\`. An error with a \`status\` becomes a JSON
 * error.
 *
 * @typedef {{ name: string, params: Record<string, string>, config: Record<string, unknown> }} Context
 * @typedef {{ method: string, path: string, handle: (request: Request, context: Context) => unknown }} Route
 */

const text = (body) => new Response(body, { headers: { "content-type": "text/plain; charset=utf-8" } });

const badRequest = (message) => Object.assign(new Error(message), { status: 400 });

const readName = async (request) => {
  const body = await request.json().catch(() => {
    throw badRequest("the body is not valid JSON");
  });
  if (typeof body?.name !== "string") throw badRequest("send JSON with the string name");
  return body.name;
};

const chunks = () => {
  const encoder = new TextEncoder();
  let next = 0;
  return new ReadableStream({
    pull(controller) {
      if (next === 3) return controller.close();
      controller.enqueue(encoder.encode(\`chunk \${next}\\n\`));
      next += 1;
    },
  });
};

/** @type {Route[]} */
export const routes = [
  { method: "GET", path: "/", handle: (_, { name }) => text(\`\${name} app\`) },
  { method: "GET", path: "/echo/{name}", handle: (_, { params }) => text(\`Hello, \${params.name}!\`) },
  { method: "POST", path: "/echo", handle: async (request) => text(\`Hello, \${await readName(request)}!\`) },
  {
    method: "GET",
    path: "/headers",
    handle: (request) => text(\`ua=\${request.headers.get("user-agent") ?? "(unknown)"}\`),
  },
  { method: "GET", path: "/stream", handle: () => text(chunks()) },
];
`,
  "app.test.js": `import assert from "node:assert/strict";
import test from "node:test";
import { routes } from "./app.js";

const context = { name: "${name}", params: {}, config: {} };

const call = (method, path, request, more = {}) => {
  const route = routes.find((one) => one.method === method && one.path === path);
  return route.handle(request, { ...context, ...more });
};

test("the front page names the application", async () => {
  const answer = await call("GET", "/", new Request("http://localhost/"));
  assert.equal(await answer.text(), "${name} app");
});

test("a posted name is greeted", async () => {
  const request = new Request("http://localhost/echo", { method: "POST", body: JSON.stringify({ name: "Ada" }) });
  assert.equal(await (await call("POST", "/echo", request)).text(), "Hello, Ada!");
});

test("a body without a name is refused", async () => {
  const request = new Request("http://localhost/echo", { method: "POST", body: "{}" });
  await assert.rejects(async () => call("POST", "/echo", request), { status: 400 });
});
`,
  "README.md": `# ${name}

A small application on Parley's native edge adapter.

| File | What it is |
|---|---|
| \`app.js\` | the routes and their handlers: plain web \`Request\` in, \`Response\` out |
| \`${name}.toml\` | settings, read at the start and handed to every handler |
| \`app.test.js\` | tests of the handlers, without a server |
| \`trusted-server.toml\`, \`secrets.json\` | an edge in front of a publisher's site, its proxy closed but for a list of hosts: \`parley edge --secrets secrets.json\` |

\`\`\`
parley edge dev --dir .        # http://127.0.0.1:8787
curl http://127.0.0.1:8787/echo/Ada
curl -d '{"name":"Ada"}' http://127.0.0.1:8787/echo
npm test
\`\`\`

A route is a row: method, path and handler. \`{name}\` in a path is one segment, \`{*rest}\` at its end all that
follows.
While it runs, \`/_${name}/routes\`, \`/_${name}/config\` and \`/_${name}/manifest\` show what it was started with.
`,
  "trusted-server.toml": `# The edge in front of a publisher's site: parley edge --config trusted-server.toml --secrets secrets.json
[publisher]
domain = "pub.example"
origin_url = "https://origin.pub.example"
# Keys of this kind name an entry of secrets.json.
proxy_secret = "proxy"

[ec]
passphrase = "identities"

[[handlers]]
path = "^/_ts/admin"
username = "ops"
password = "operators"

[proxy]
# Hosts that signed addresses may reach: add those of your ads, "*.host" with all below. Without a list anybody can have
# any public address proxied.
allowed_domains = ["pub.example", "*.pub.example"]
`,
  ".gitignore": "node_modules/\nsecrets.json\n",
});
