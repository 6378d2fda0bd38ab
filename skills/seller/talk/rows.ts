import { isOneOf } from "../../talk/reader/word-lists.ts";
import { type Entity, textOf } from "../../talk/reader/entity.ts";
import { clarify, type Talk, type Spoken } from "./spoken.ts";
import { type Group, groupsOf, groupsOfSplit, withSum } from "./answers/plan.ts";
import { nameOf, namesOf } from "./answers/discovery.ts";
import { entitiesWithin, saidBy } from "./said.ts";
import type { Request } from "./requests.ts";
import { flightNames, idsIn, pick, type Row, type Slots } from "./memory.ts";
import { inForce, without } from "./terms.ts";
import { quoteOne } from "./answers/quotes.ts";
import { commands } from "./commands.ts";

/** Of a line of a table, not of the words around it. */
const ofLine = ({ line, said }: Group, kind: Entity["kind"]): Entity | undefined =>
  line === undefined
    ? undefined
    : said.entities.find((one) => one.kind === kind && one.from >= line.from && one.to <= line.to);

const isDated = ({ days, entities }: Group["said"]): boolean =>
  days.length > 0 || entities.some(({ kind }) => kind === "vague");

/** "300k pre-roll 14-27 Feb and 800k ROS, same dates": a row without days has those of the row before. */
const talkOfRow = (talk: Talk, group: Group, before: Slots): Talk => {
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
  const kept = Object.keys(said.flight).length > 0 ? [] : flightNames;
  const base = line === undefined ? pick(talk.terms, ["audience", "geo", ...kept]) : {};
  const { terms: found } = inForce(own, { ...talk.memory, terms: base, rows: [], topics: [] }, talk.finder);
  const hasDays = found["flight_start"] !== undefined || found["flight_end"] !== undefined || isDated(said);
  const terms = hasDays ? found : { ...found, ...pick(before, flightNames) };
  return { ...talk, request: own, ids: [id], terms: { ...without(terms, "inventory_type"), product_id: id } };
};

const answerRow = async (talk: Talk, group: Group, before: Slots): Promise<Spoken | null> => {
  const { id, said, line } = group;
  const meant = idsIn(said);
  if (id === "" && meant.length > 1) {
    const row = talkOfRow(talk, { ...group, id: meant[0] ?? "" }, before);
    return clarify("pricing", `Which product do you mean: ${namesOf(talk, meant)}?`, {
      about: without(row.terms, "product_id"),
      reason: "missing_product",
    });
  }
  if (id === "") {
    const words = said.unsold ?? `"${line?.text ?? ""}"`;
    return clarify("pricing", `We do not sell ${words}.`, { reason: "missing_product" });
  }
  const row = talkOfRow(talk, group, before);
  const vague = ofLine(group, "vague");
  if (vague !== undefined && row.terms["flight_start"] === undefined)
    return clarify("pricing", `${nameOf(talk, id)}: which days are "${textOf(talk.request.scan, vague)}"?`, {
      about: row.terms,
      reason: "unread_terms",
    });
  const { command: asked } = talk.request;
  const command = asked === "offer" ? "propose" : asked;
  const [spoken] = isOneOf(asked, "quote book plan")
    ? [await quoteOne(row, id)]
    : [await commands[command]?.answer(row)].flat();
  return spoken === undefined ? null : { ...spoken, about: spoken.about ?? row.terms };
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
  const isSplit = request.command === "plan" && groupsOfSplit(talk) !== null;
  if (!isSplit && !isOneOf(request.command, "quote price availability book propose offer")) return null;
  const found = groupsOf(talk);
  if (found === null) return null;
  // "Native 15k, homepage 9k": too few for volumes.
  const isMoney = found.length > 1 && found.every(({ said }) => said.isVolumeUnsure && (said.volumes[0] ?? 0) < 50_000);
  // "300k pre-roll and 800k ROS, total under 12k": the sum is for both.
  const hasTotal =
    found.length > 1 &&
    request.said.budget !== null &&
    found.every(({ said }) => said.volumes.length > 0) &&
    found.filter(({ said }) => said.budget !== null).length < 2;
  const sizesOf = ({ volumes, budget }: Group["said"]) =>
    hasTotal ? { budget: null } : isMoney ? { budget: volumes[0] ?? null, volumes: [] } : { budget };
  const lines: Spoken[] = [];
  for (const [place, group] of found.entries()) {
    const own = { ...group, said: { ...group.said, ...sizesOf(group.said) } };
    const spoken = await answerRow(talk, own, lines.at(-1)?.about ?? {});
    // Options have the numbers of their lines.
    const drafts = spoken?.drafts?.map((draft) => ({ ...draft, n: place + 1 }));
    if (spoken !== null) lines.push(drafts === undefined ? spoken : { ...spoken, drafts });
  }
  const rows = lines.flatMap((line): readonly Row[] => line.rows ?? []);
  return withSum(
    lines.map((line) => ({ ...line, rows })),
    hasTotal ? request.said.budget : budgetAround(request),
  );
};
