import { isOneOf } from "../../talk/reader/word-lists.ts";
import type { Talk, Spoken } from "./spoken.ts";
import { groupsOf, withSum } from "./answers/plan.ts";
import type { Request } from "./requests.ts";
import { pick, type Row } from "./memory.ts";
import { inForce, without } from "./terms.ts";
import { quoteOne } from "./answers/quotes.ts";
import { commands } from "./commands.ts";

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
  for (const { id, said } of groups) {
    const own: Request = { ...request, said, parts: request.parts, isFollowUp: false };
    const base = pick(talk.terms, [
      "audience",
      "geo",
      ...(Object.keys(said.flight).length > 0 ? [] : ["flight_start", "flight_end"]),
    ]);
    const { terms } = inForce(own, { ...talk.memory, terms: base, rows: [], topics: [] }, talk.finder);
    const row: Talk = {
      ...talk,
      request: own,
      ids: [id],
      terms: { ...without(terms, "inventory_type"), product_id: id },
    };
    const command = request.command === "book" ? "quote" : request.command === "offer" ? "propose" : request.command;
    const spoken =
      command === "quote" ? await quoteOne(row, id) : ([await commands[command]?.answer(row)].flat()[0] ?? null);
    // Options have the numbers of their lines.
    const n = groups.findIndex((group) => group.said === said) + 1;
    if (spoken !== null)
      lines.push({
        ...spoken,
        about: spoken.about ?? row.terms,
        ...(spoken.drafts === undefined ? {} : { drafts: spoken.drafts.map((draft) => ({ ...draft, n })) }),
      });
  }
  const rows = lines.flatMap((line): readonly Row[] => line.rows ?? []);
  return withSum(
    lines.map((line) => ({ ...line, rows })),
    null,
  );
};
