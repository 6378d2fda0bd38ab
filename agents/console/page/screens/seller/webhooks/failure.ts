import { plain } from "../../../form.ts";

interface Attempted {
  readonly last_status: number | null;
  readonly last_error: string | null;
}

const words: Readonly<Record<string, string>> = {
  timeout: "no answer in time",
  connect_error: "cannot be reached",
  gone: "the receiver says that it is gone",
  key_not_valid: "the key that made the webhook ended",
  event_forgotten: "the event is no longer kept",
  target_not_allowed: "its address is not public",
};

/** Why the last attempt failed, in words. */
export const failureOf = ({ last_status: status, last_error: error }: Attempted): string => {
  if (error === null) return "";
  if (Object.hasOwn(words, error)) return words[error] ?? "";
  return status === null || status === 0 ? plain(error.replaceAll("_", " ")) : `answered ${status}`;
};
