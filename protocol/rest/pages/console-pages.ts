import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { DoorAnswer, DoorRequest, DoorRoute } from "../../door/door.ts";
import { Refused, refuse } from "../../neutral/refusals.ts";
import { fixedPage } from "./fixed-page.ts";

const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join("; ");

const isolation = { "Cross-Origin-Opener-Policy": "same-origin", "Cross-Origin-Resource-Policy": "same-origin" };

const types: Readonly<Record<string, string>> = {
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
};

/** Beside the built program, or in the checkout's `dist` where the sources run themselves. */
const findFolder = (): string => {
  for (let folder = dirname(fileURLToPath(import.meta.url)); ; folder = dirname(folder)) {
    for (const built of [join(folder, "console"), join(folder, "dist", "console")]) {
      if (existsSync(join(built, "index.html"))) return built;
    }
    if (folder === dirname(folder)) throw new Error("dist/console is missing: build it with node .ci/ready.mjs start");
  }
};

type Coding = "br" | "gzip" | "identity";

/** Bytes are read once: a release's files never change. */
const createFiles = () => {
  let folder: string | null = null;
  let names: ReadonlySet<string> = new Set();
  const bytes = new Map<string, Buffer>();
  const open = (): string => {
    if (folder === null) {
      folder = findFolder();
      names = new Set(readdirSync(folder).filter((name) => types[extname(name)] !== undefined));
    }
    return folder;
  };
  const read = (name: string): Buffer => {
    const known = bytes.get(name) ?? readFileSync(join(open(), name));
    bytes.set(name, known);
    return known;
  };
  return {
    shell: (): string => read("index.html").toString("utf8"),
    has: (name: string): boolean => {
      open();
      return names.has(name);
    },
    read: (name: string, coding: Coding): Buffer =>
      read(coding === "identity" ? name : `${name}.${coding === "br" ? "br" : "gz"}`),
  };
};

/** A coding with `q=0` is refused by the browser (RFC 9110, 12.5.3). */
const codingFor = (accepted: string | undefined): Coding => {
  const allowed = (accepted ?? "")
    .split(",")
    .filter((part) => !/;\s*q=0(?:\.0*)?\s*$/.test(part))
    .map((part) => part.split(";")[0]?.trim().toLowerCase());
  if (allowed.includes("br")) return "br";
  return allowed.includes("gzip") ? "gzip" : "identity";
};

const movedTo = (location: string): DoorAnswer => ({ status: 308, headers: { Location: location }, body: null });

const isolated = (answer: DoorAnswer): DoorAnswer =>
  answer === "taken" ? answer : { ...answer, headers: { ...answer.headers, ...isolation } };

/** Every path but those of files is a screen, drawn by the script of the one page. */
export const consolePages = (name: "seller" | "buyer"): readonly DoorRoute[] => {
  const files = createFiles();
  const html = (): string => files.shell().replace("AGENT", name);
  const shell = fixedPage("/console", "text/html; charset=utf-8", html, policy);

  const file = async (request: DoorRequest): Promise<DoorAnswer> => {
    const asked = request.params["name"] ?? "";
    if (!files.has(asked)) throw new Refused(refuse("not_found", { message: "There is no such file." }));
    const coding = codingFor(request.headers["accept-encoding"]);
    const headers: Record<string, string> = {
      ...isolation,
      "Content-Type": types[extname(asked)] ?? "application/octet-stream",
      "Cache-Control": "public, max-age=31536000, immutable",
      Vary: "Accept-Encoding",
    };
    if (coding !== "identity") headers["Content-Encoding"] = coding;
    return { status: 200, headers, body: files.read(asked, coding) };
  };

  const screen = async (request: DoorRequest): Promise<DoorAnswer> => isolated(await shell.handle(request));

  return [
    {
      method: "GET",
      path: "/console",
      handle: (request) =>
        /^\/console(?:\?|$)/.test(request.node.request.url ?? "")
          ? Promise.resolve(movedTo("/console/"))
          : screen(request),
    },
    { method: "GET", path: "/console/assets/:name", handle: file },
    { method: "GET", path: "/console/*path", handle: screen },
  ];
};
