import { isGiven } from "../neutral/json-input.ts";
import type { Members } from "../neutral/members.ts";
import { Faulty } from "./fault.ts";

/** Of AdCP: what is served, oldest first. */
export const releases = ["3.0", "3.2"] as const;

export type Release = (typeof releases)[number];

const major = 3;

const unserved = (asked: string): Faulty =>
  new Faulty({
    code: "VERSION_UNSUPPORTED",
    message: `AdCP ${asked} is not served here. Ask for one of ${releases.join(", ")}.`,
    recovery: "correctable",
    details: { supported_versions: [...releases], supported_majors: [major] },
  });

const shown = (value: unknown): string => String(value).slice(0, 32);

/** A patch number is read and means nothing; a pre-release is another version. */
const form = /^(\d{1,3})\.(\d{1,3})(?:\.\d{1,5})?$/;

const minorOf = (version: unknown): number => {
  const [, first, second] = form.exec(typeof version === "string" ? version : "") ?? [];
  if (first === undefined || Number(first) !== major) throw unserved(shown(version));
  return Number(second);
};

/**
 * The highest served release that is not above the one asked for. Who names none, or the major version alone, gets the
 * oldest: clients of 3.0 say no more. Throws `Faulty`.
 */
export const servedRelease = ({ adcp_version: version, adcp_major_version: asked }: Members): Release => {
  if (isGiven(asked) && asked !== major) throw unserved(shown(asked));
  if (!isGiven(version)) return releases[0];
  const minor = minorOf(version);
  const served = releases.findLast((release) => minorOf(release) <= minor);
  if (served === undefined) throw unserved(shown(version));
  return served;
};
