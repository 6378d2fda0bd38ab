import { isOneOf } from "../../talk/reader/word-lists.ts";
import { type Entity, textOf } from "../../talk/reader/entity.ts";
import { clarify, type Talk, type Spoken } from "./spoken.ts";
import { type Group, groupsOf, withSum } from "./answers/plan.ts";
import { nameOf } from "./answers/discovery.ts";
import { entitiesWithin, saidBy } from "./said.ts";
import type { Request } from "./requests.ts";
import { pick, type Row } from "./memory.ts";
import { inForce, without } from "./terms.ts";
import { quoteOne } from "./answers/quotes.ts";
import { commands } from "./commands.ts";

/** Of a line of a table, not of the words around it. */
const ofLine = ({ line, said }: Group, kind: Entity["kind"]): Entity | undefined =>
  line === undefined
    ? undefined
    : said.entities.find((one) => one.kind === kind && one.from >= line.from && one.to <= line.to);

const talkOfRow = (talk: Talk, group: Group): Talk => {
  const { id, said, line } = group;
  const { request } = talk;
  const types = talk.finder.get(id)?.deal_types ?? [];
  // "The client prefers guaranteed deals" is for those that are sold so.
  const isOwn = line === undefined || ofLine(group, "dealType") !== undefined;
  const dealTypes = isOwn ? said.dealTypes : said.dealTypes.filter((type) => types.includes(type));
  const parts = line === undefined ? request.parts : [line];
  const own: Request = {
    ...request,
    said: { ...said, dealTypes },
    parts,
    text: line === undefined ? request.text : line.text,
    isFollowUp: false,
  };
  const kept = Object.keys(said.flight).length > 0 ? [] : ["flight_start", "flight_end"];
  const base = line === undefined ? pick(talk.terms, ["audience", "geo", ...kept]) : {};
  const { terms } = inForce(own, { ...talk.memory, terms: base, rows: [], topics: [] }, talk.finder);
  return { ...talk, request: own, ids: [id], terms: { ...without(terms, "inventory_type"), product_id: id } };
};

const answerRow = async (talk: Talk, group: Group): Promise<Spoken | null> => {
  const { id, said, line } = group;
  if (id === "") {
    const words = said.unsold ?? `"${line?.text ?? ""}"`;
    return clarify("pricing", `We do not sell ${words}.`, { reason: "missing_product" });
  }
  const row = talkOfRow(talk, group);
  const vague = ofLine(group, "vague");
  if (vague !== undefined && row.terms["flight_start"] === undefined)
    return clarify("pricing", `${nameOf(talk, id)}: which days are "${textOf(talk.request.scan, vague)}"?`, {
      about: row.terms,
      reason: "unread_terms",
    });
  const { command: asked } = talk.request;
  const command = asked === "book" ? "quote" : asked === "offer" ? "propose" : asked;
  const spoken =
    command === "quote" ? await quoteOne(row, id) : ([await commands[command]?.answer(row)].flat()[0] ?? null);
  return spoken === null ? null : { ...spoken, about: spoken.about ?? row.terms };
};

/** What the words around a table say that it may cost. */
const budgetAround = ({ scan, parts, lines }: Request): number | null => {
  if (lines === undefined) return null;
  const around = parts.filter((part) => !lines.includes(part));
  const { budget, volumes } = saidBy(entitiesWithin(scan, around));
  const isNamed = around.some(({ text }) => /\bbudget\b/i.test(text));
  return budget ?? (isNamed ? (volumes[0] ?? null) : null);
};

/** Several products with terms of their own are a request each. */
export const answerRows = async (talk: Talk): Promise<readonly Spoken[] | null> => {
  const { request } = talk;
  if (!isOneOf(request.command, "quote price availability book propose offer")) return null;
  const found = groupsOf(request);
  if (found === null) return null;
  // "Native 15k, homepage 9k": too few for volumes.
  const isMoney = found.length > 1 && found.every(({ said }) => said.isVolumeUnsure && (said.volumes[0] ?? 0) < 50_000);
  const groups = isMoney
    ? found.map((group) => ({ ...group, said: { ...group.said, budget: group.said.volumes[0] ?? null, volumes: [] } }))
    : found;
  const lines: Spoken[] = [];
  for (const [place, group] of groups.entries()) {
    const spoken = await answerRow(talk, group);
    // Options have the numbers of their lines.
    const n = place + 1;
    if (spoken !== null)
      lines.push(
        spoken.drafts === undefined ? spoken : { ...spoken, drafts: spoken.drafts.map((draft) => ({ ...draft, n })) },
      );
  }
  const rows = lines.flatMap((line): readonly Row[] => line.rows ?? []);
  return withSum(
    lines.map((line) => ({ ...line, rows })),
    budgetAround(request),
  );
};
