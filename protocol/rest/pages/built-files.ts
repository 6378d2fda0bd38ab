import { existsSync, readFileSync } from "node:fs";
import { dirname, extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { DoorAnswer, DoorRequest } from "../../door/door.ts";
import { Refused, refuse } from "../../neutral/refusals.ts";

/** Of a page that loads from its own agent alone, and whose script may set no HTML. */
export const strictPolicy = [
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

export const isolated = (answer: DoorAnswer): DoorAnswer =>
  answer === "taken" ? answer : { ...answer, headers: { ...answer.headers, ...isolation } };

export const movedTo = (location: string): DoorAnswer => ({
  status: 308,
  headers: { Location: location },
  body: null,
});

/** Beside the built program, or in the checkout's `dist` where the sources run themselves. */
const findFolder = (name: string): string => {
  for (let folder = dirname(fileURLToPath(import.meta.url)); ; folder = dirname(folder)) {
    for (const built of [join(folder, name), join(folder, "dist", name)]) {
      if (existsSync(join(built, "index.html"))) return built;
    }
    if (folder === dirname(folder)) throw new Error(`dist/${name} is missing: build it with node .ci/ready.mjs start`);
  }
};

const types: Readonly<Record<string, string>> = {
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
  ".json": "application/json; charset=utf-8",
};

type Coding = "br" | "gzip" | "identity";

/** A coding with `q=0` is refused by the browser (RFC 9110, 12.5.3). */
const codingFor = (accepted: string | undefined): Coding => {
  const allowed = (accepted ?? "")
    .split(",")
    .filter((part) => !/;\s*q=0(?:\.0*)?\s*$/.test(part))
    .map((part) => part.split(";")[0]?.trim().toLowerCase());
  if (allowed.includes("br")) return "br";
  return allowed.includes("gzip") ? "gzip" : "identity";
};

/** No segment begins with a dot, so that none leads out of the folder. */
const plainPath = /^[\w-][\w.-]*(?:\/[\w-][\w.-]*)*$/;

/**
 * Files below `dist/<name>`. Bytes are read once. What is there is looked up each time: a build beside a running server
 * adds files that the pages it then reads name.
 */
export const builtFiles = (name: string) => {
  let folder: string | null = null;
  const bytes = new Map<string, Buffer>();
  const open = (): string => (folder ??= findFolder(name));
  const read = (file: string): Buffer => {
    const known = bytes.get(file) ?? readFileSync(join(open(), file));
    bytes.set(file, known);
    return known;
  };
  const has = (file: string): boolean => plainPath.test(file) && existsSync(join(open(), file));
  /** Scripts and styles, whose names change with their contents. */
  const asset = async ({ params, headers: asked }: DoorRequest): Promise<DoorAnswer> => {
    const file = params["name"] ?? "";
    const type = types[extname(file)];
    if (type === undefined || file.includes("/") || !has(file)) {
      throw new Refused(refuse("not_found", { message: "There is no such file." }));
    }
    const coding = codingFor(asked["accept-encoding"]);
    const headers: Record<string, string> = {
      ...isolation,
      "Content-Type": type,
      "Cache-Control": "public, max-age=31536000, immutable",
      Vary: "Accept-Encoding",
    };
    if (coding !== "identity") headers["Content-Encoding"] = coding;
    const ending = { br: ".br", gzip: ".gz", identity: "" }[coding];
    return { status: 200, headers, body: read(`${file}${ending}`) };
  };
  return { has, asset, text: (file: string): string => read(file).toString("utf8") };
};
