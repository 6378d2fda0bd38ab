import { dayMs } from "../../../machines/inventory/dates.ts";
import { create, remove, update } from "../../../protocol/seam/changes.ts";
import type { Loaded } from "../../../protocol/seam/operation.ts";
import type { Change, Kind, StoredRow } from "../../../storage/store.ts";
import type { Applied, BriefInput } from "./brief/form.ts";

/**
 * `brief` is what the next message completes or corrects, `before` the same before its last change, `doubts` what is
 * open about it, `job` the campaign that words without a name mean: the one started here (`isOwn`), else the one that
 * was last named. `campaigns` are the ids of all that were started or spoken of here, in order.
 */
export interface Memory {
  readonly brief: BriefInput | null;
  readonly before: BriefInput | null;
  readonly doubts: readonly string[];
  /** What was said of the brief and a start leaves out, as notes. */
  readonly left: Applied["notes"];
  /** The last answer was about the brief, and not about a campaign. */
  readonly isOfBrief: boolean;
  readonly job: { readonly id: string; readonly isOwn: boolean } | null;
  readonly campaigns: readonly string[];
  /** What the last reply named as possible requests, by their numbers. */
  readonly menu: readonly string[];
  /** What the last reply was about, where a short message may go on with it: "and CTV?". */
  readonly topic: string | null;
  /** Numbers of the lines that were spoken of last: "the others" are the rest. */
  readonly lines: readonly number[];
}

export interface TalkRow extends Memory {
  readonly owner: string;
  readonly context_id: string;
  readonly updated_at_ms: number;
}

export const newMemory: Memory = {
  brief: null,
  before: null,
  doubts: [],
  left: [],
  isOfBrief: false,
  job: null,
  campaigns: [],
  menu: [],
  topic: null,
  lines: [],
};

const mostCampaigns = 100;

/** Each once, where it was first spoken of. */
export const withCampaigns = ({ campaigns, job }: Memory, ids: readonly string[]): Memory["campaigns"] =>
  [...new Set([...campaigns, ...(job === null ? [] : [job.id]), ...ids])].slice(0, mostCampaigns);

const keptForMs = 7 * dayMs;

export const talkKind: Kind<TalkRow> = {
  name: "talk",
  terms: () => [],
  dueAtMs: (row) => row.updated_at_ms + keptForMs,
  owner: (row) => row.owner,
};

/** Per caller: another caller's context of the same name is another row. */
export const talkId = (owner: string, contextId: string): string => JSON.stringify([owner, contextId]);

export const remembered = (loaded: Loaded<TalkRow> | null, row: TalkRow): Change =>
  loaded === null ? create(talkKind, talkId(row.owner, row.context_id), row) : update(talkKind, loaded, row);

/** As it is kept once its brief is started. */
export const withoutBrief = (loaded: Loaded<TalkRow>): Change =>
  remembered(loaded, { ...loaded.body, brief: null, before: loaded.body.brief, doubts: [], left: [] });

/** Null for rows of other kinds. */
export const forgottenTalk = (row: StoredRow) =>
  row.kind === talkKind.name ? { changes: [remove(talkKind, row as StoredRow<TalkRow>)], events: [] } : null;
