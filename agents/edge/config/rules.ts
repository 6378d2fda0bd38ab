import { z } from "zod";

const hostLabel = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/i;

/** True for an ASCII host name of at most `most` characters: labels of 1 to 63, no dot at either end. */
export const isHostName = (text: string, most = 253): boolean =>
  text.length > 0 && text.length <= most && text.split(".").every((label) => hostLabel.test(label));

export const parseUrl = (text: string): URL | null => (URL.canParse(text) ? new URL(text) : null);

export const positiveInt = z.int("must be a whole number").min(1, "must be above 0");

export const nonEmpty = z.string().min(1, "must not be empty");

/** Name of an entry in the secret store; after start-up the same leaf holds the entry's value. */
export const secretName = z.string().min(1, "must name an entry of the secret store");

/** Host lists of the proxy: trimmed, lower case, without empty and bare `*` entries. */
export const hostPatterns = z
  .array(z.string())
  .default([])
  .transform((items) => items.map((item) => item.trim().toLowerCase()).filter((item) => item !== "" && item !== "*"));

/** Scheme, host and port only: nothing that a fetched path could be glued onto by mistake. */
export const bareOrigin = z.string().refine((text) => {
  const url = parseUrl(text);
  if (url === null || !/^https?:$/.test(url.protocol) || url.hostname === "") return false;
  return url.pathname === "/" && url.search === "" && url.hash === "" && url.username === "" && url.password === "";
}, "must be scheme, host and port only, as in https://assets.example");

export const regularExpression = z.string().refine((text) => {
  try {
    return new RegExp(text) instanceof RegExp;
  } catch {
    return false;
  }
}, "is not a valid regular expression");

const headerName = /^[!#$%&'*+.^_`|~0-9a-z-]+$/i;

export const isHeaderName = (text: string): boolean => headerName.test(text);

/** Visible ASCII, blanks and tabs: what may stand in a header without being able to end it. */
export const isHeaderValue = (text: string): boolean => /^[\t\x20-\x7e]*$/.test(text);

const isBoundedExt = (value: unknown, depth = 0): boolean => {
  if (typeof value !== "object" || value === null) return true;
  const members = Object.values(value);
  return depth < 8 && members.length <= 256 && members.every((member) => isBoundedExt(member, depth + 1));
};

/** `ext` of an OpenRTB object. */
export const boundedExt = z
  .record(z.string(), z.unknown())
  .refine(
    (value) => isBoundedExt(value) && JSON.stringify(value).length <= 16_384,
    "must be at most 16 KiB, 8 levels deep and 256 keys per object",
  );

/** `ext` of a bid request, in which the edge has a member of its own. */
export const requestExt = boundedExt.refine(
  (value) => !Object.hasOwn(value, "trusted_server"),
  "trusted_server is reserved",
);
