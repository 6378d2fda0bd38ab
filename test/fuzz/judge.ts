import type { IncomingHttpHeaders } from "node:http";
import type { DeclaredAnswer, DeclaredOperation, ReadDocument } from "./document.ts";

export interface Received {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/** Headers of HTTP and of browser security, which an API document does not repeat. */
const transport = new Set([
  ...["content-type", "content-length", "transfer-encoding", "date", "connection", "keep-alive", "cache-control"],
  ...["content-security-policy", "x-content-type-options", "x-frame-options", "referrer-policy"],
  ...["last-modified", "vary", "x-accel-buffering"],
]);

const headerDefects = (answer: DeclaredAnswer, got: Received, document: ReadDocument): readonly string[] => {
  const undeclared = Object.keys(got.headers).filter((name) => !transport.has(name) && !answer.headers.has(name));
  const declared = [...answer.headers].flatMap(([name, { required, pointer }]) => {
    const value = got.headers[name];
    if (value === undefined) return required ? [`the header ${name} is missing`] : [];
    return document.defects(pointer, value).map((defect) => `the header ${name}: ${String(value)}:${defect}`);
  });
  return [...undeclared.map((name) => `the header ${name} is not declared`), ...declared];
};

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
};

const bodyDefects = (answer: DeclaredAnswer, got: Received, document: ReadDocument): readonly string[] => {
  if (answer.bodies.size === 0) return got.text === "" ? [] : ["there is a body where none is declared"];
  const type = String(got.headers["content-type"]).split(";")[0] ?? "";
  const pointer = answer.bodies.get(type);
  if (pointer === undefined) return [`the media type ${type} is not declared`];
  if (!type.endsWith("json")) return document.defects(pointer, got.text);
  const value = parsed(got.text);
  return value === undefined ? ["the body is no JSON"] : document.defects(pointer, value);
};

/** What a form check of the program finds; the rest is known to the operation alone. */
const formTypes = new Set(["missing", "invalid_type", "invalid_value", "too_small", "too_big", "invalid_format"]);

const isFormIssue = (issue: { readonly type?: unknown; readonly loc?: readonly unknown[] }): boolean =>
  issue.loc?.[0] === "body" && formTypes.has(String(issue.type));

/** A body that the schema refuses may not be taken, and one that it allows may not be refused for its form. */
export const bodyAgreement = (
  operation: DeclaredOperation,
  body: unknown,
  got: Pick<Received, "status" | "text">,
  document: ReadDocument,
): readonly string[] => {
  const breaks = document.defects(operation.bodyPointer, body);
  const { detail, error } = (parsed(got.text) ?? {}) as { readonly detail?: unknown; readonly error?: unknown };
  if (breaks.length > 0) {
    // A JSON-RPC error comes with 200.
    const isTaken = got.status < 300 && error === undefined;
    return isTaken ? [`takes a body that the schema refuses: ${breaks.join("; ")}`] : [];
  }
  const issues = got.status === 422 && Array.isArray(detail) ? (detail as readonly object[]).filter(isFormIssue) : [];
  return issues.map((issue) => `refuses a body that the schema allows: ${JSON.stringify(issue)}`);
};

const unroutedDefects = (got: Received): readonly string[] => {
  if (got.headers["allow"] === undefined) return ["the header allow is missing"];
  const isRefused = got.status === 405 && (parsed(got.text) as { error?: unknown })?.error === "method_not_allowed";
  return isRefused || (got.status === 204 && got.text === "") ? [] : [`the status ${got.status} for another method`];
};

/** A method that the path lacks is 405 (OPTIONS 204). */
export const defectsOf = (
  operation: DeclaredOperation,
  method: string,
  got: Received,
  document: ReadDocument,
): readonly string[] => {
  if (method !== operation.method) return unroutedDefects(got);
  const answer = operation.answers.get(got.status);
  if (answer === undefined) return [`the status ${got.status} is not declared`];
  const isBug = got.status === 500 ? ["a 500 is a fault of the server"] : [];
  return [...isBug, ...headerDefects(answer, got, document), ...bodyDefects(answer, got, document)];
};
