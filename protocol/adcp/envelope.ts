import { isMembers } from "../neutral/json-input.ts";
import type { Members } from "../neutral/members.ts";
import type { Fault } from "./fault.ts";
import type { Release } from "./release.ts";

/** What the answer to one call carries beside its task's own members. */
export interface Wrapped {
  readonly release: Release;
  /** As sent. */
  readonly context: unknown;
  readonly isSandbox: boolean;
}

const marked = ({ isSandbox }: Wrapped): Members => (isSandbox ? { sandbox: true } : {});

const echoed = ({ context }: Wrapped): Members => (isMembers(context) ? { context } : {});

const servedAs = ({ release }: Wrapped): Members => (release === "3.0" ? {} : { adcp_version: release });

/** `status` of the task's own answer goes before. */
export const succeeded = (body: Members, wrapped: Wrapped, isReplay: boolean): Members => ({
  status: "completed",
  ...servedAs(wrapped),
  ...body,
  ...(isReplay ? { replayed: true } : {}),
  ...marked(wrapped),
  ...echoed(wrapped),
});

/** In both places where clients look. */
export const failed = (fault: Fault, wrapped: Wrapped): Members => ({
  ...(wrapped.release === "3.0" ? {} : { status: "failed" }),
  ...servedAs(wrapped),
  adcp_error: fault,
  errors: [fault],
  ...marked(wrapped),
  ...echoed(wrapped),
});
