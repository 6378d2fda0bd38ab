import { seenText } from "../../../protocol/neutral/seen-text.ts";

/** What the wire's words are called on a screen. */
export const flowWords: Readonly<Record<string, string>> = {
  deal: "Booking",
  negotiation: "Offer",
  proposal: "Proposal",
  api_key: "New key",
  media_buy: "Media buy",
};

export const decisionWords: Readonly<Record<string, string>> = {
  approve: "approved",
  reject: "rejected",
  counter: "countered",
};

export const dealTypeWords: Readonly<Record<string, string>> = {
  PG: "guaranteed",
  PD: "preferred",
  PA: "private auction",
  programmaticguaranteed: "guaranteed",
  preferreddeal: "preferred",
  privateauction: "private auction",
};

export const statusWords: Readonly<Record<string, string>> = {
  accepted: "Accepted",
  active: "Active",
  applied: "Applied",
  archived: "Archived",
  approved: "Approved",
  booked: "Booked",
  canceled: "Cancelled",
  cancelled: "Cancelled",
  completed: "Completed",
  dead: "Dead",
  delivered: "Delivered",
  draft: "Draft",
  expired: "Expired",
  failed: "Failed",
  in_progress: "In progress",
  paused: "Paused",
  pending: "Waiting",
  pending_approval: "Waits for approval",
  pending_creatives: "Waits for creatives",
  pending_start: "Booked, not begun",
  proposed: "To activate",
  quoted: "Quoted",
  rejected: "Rejected",
  submitted: "Submitted",
  syncing: "Syncing",
  timed_out: "Timed out",
  unbooked: "Unbooked",
  validating: "Being checked",
  withdrawn: "Withdrawn",
};

export const quoteStates: Readonly<Record<string, string>> = {
  available: "Can be booked",
  booked: "Booked",
  expired: "Expired",
  declined: "Taken back",
};

interface DealStanding {
  readonly status: string;
  readonly awaiting_approval?: boolean | undefined;
  readonly cancelled?: boolean | undefined;
  readonly changes_waiting?: readonly { readonly change_type: string }[] | null | undefined;
}

/** Where a deal stands, by the same name on every screen. */
export const dealStanding = (deal: DealStanding): string => {
  const { status, awaiting_approval: isWaiting, cancelled, changes_waiting: changes } = deal;
  if (changes?.some(({ change_type: type }) => type === "cancellation") === true) return "Cancellation asked for";
  if (status === "proposed" && isWaiting === true) return "Waits for approval";
  if (status === "rejected" && cancelled === true) return "Cancelled";
  return wordOf(statusWords, status);
};

/** An unknown word of the wire is shown without its underscores. */
export const wordOf = (words: Readonly<Record<string, string>>, name: string | null | undefined): string => {
  if (name == null || name === "") return "none";
  const known = Object.hasOwn(words, name) ? words[name] : undefined;
  return known ?? seenText(name).replaceAll("_", " ");
};

const tones: Readonly<Record<string, "ok" | "warn" | "bad" | "accent">> = {
  active: "ok",
  available: "warn",
  approved: "ok",
  accepted: "ok",
  booked: "ok",
  applied: "ok",
  delivered: "ok",
  completed: "ok",
  proposed: "warn",
  pending: "warn",
  awaiting_approval: "warn",
  pending_approval: "warn",
  pending_creatives: "warn",
  submitted: "warn",
  failed: "bad",
  rejected: "bad",
  dead: "bad",
  blocked: "bad",
  preferred: "accent",
};

export const toneOf = (status: string): "quiet" | "ok" | "warn" | "bad" | "accent" =>
  (Object.hasOwn(tones, status) ? tones[status] : undefined) ?? "quiet";

export const severityTone = (severity: string): "quiet" | "warn" | "bad" =>
  severity === "critical" ? "bad" : severity === "material" ? "warn" : "quiet";
