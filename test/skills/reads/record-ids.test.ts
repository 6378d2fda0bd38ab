import { expect, test } from "vitest";
import { sellerOperations } from "../../../agents/seller/operations.ts";
import { exemplaryCase } from "../examples.ts";
import { loadCases, openCase, type OpenedCase } from "../cases.ts";
import type { Reply } from "../world.ts";

type Members = Readonly<Record<string, unknown>>;

/** No record has to be behind these ids. */
const claims = [
  "seat_id",
  "agency_id",
  "advertiser_id",
  "accountid",
  "advertiserbrandid",
  "audience_segment_ids",
  "batch_id",
];

const isOpen = (name: string): boolean => /^(product|package)_ids?$|^productids?$/.test(name);

const cases = loadCases();

/** A list only narrows itself by an id, and a wish for a person leaves out what is not the caller's. */
const named = sellerOperations
  .map(({ contract }) => contract.name)
  .filter(
    (name) =>
      !name.startsWith("list_") &&
      name !== "get_activity" &&
      name !== "report_media_buys" &&
      name !== "request_handover",
  )
  .flatMap((name) => {
    const found = exemplaryCase(cases, name);
    const members = Object.keys((found?.skillCase.input ?? {}) as Members);
    const ids = members.filter((member) => /ids?$/.test(member) && !claims.includes(member));
    return found === undefined || ids.length === 0 ? [] : [{ name, ids, skillCase: found.skillCase }];
  });

const sendWith = ({ world, request }: OpenedCase, caller: string, member: string, id: unknown): Promise<Reply> => {
  const input = request.input as Members;
  const value = Array.isArray(input[member]) ? [id] : id;
  return world.send({ ...request, caller, input: { ...input, [member]: value } });
};

/** Keys need an operator; unresolved products are a rule of packages. */
const answers: Readonly<Record<string, readonly [status: number, code: string]>> = {
  get_api_key: [403, "operator_required"],
  revoke_api_key: [403, "operator_required"],
  create_package: [422, "unresolvable_product_ids"],
  assemble_package: [422, "unresolvable_product_ids"],
};

test.each(named)("$name: an id of another kind, or of nothing, is refused and nothing is stored", async (one) => {
  const opened = await openCase(one.skillCase, {});
  const { world, request } = opened;
  try {
    const session = await world.send({ caller: request.caller, operation: "create_session", input: {} });
    const before = world.commits();
    for (const member of one.ids) {
      for (const id of [session.body["session_id"], "no-such-record", "../quotes", "__proto__"]) {
        if (member === "session_id" && id === session.body["session_id"]) continue;
        const reply = await sendWith(opened, request.caller, member, id);
        const [status, code] = answers[one.name] ?? [404, expect.stringMatching(/not_found$/)];
        expect(reply, `${member} ${String(id)}`).toMatchObject({ status, code });
        expect(String(reply.body["message"]).length).toBeGreaterThan(8);
      }
    }
    expect(world.commits()).toBe(before);
  } finally {
    await world.close();
  }
});

const buyers = ["seat", "agency", "advertiser", "key without identity"];
const owned = named.filter(({ ids, skillCase }) => !ids.every(isOpen) && buyers.includes(skillCase.caller));

test.each(owned)("$name: another buyer's id and one of nothing are refused in equal bytes", async (one) => {
  const opened = await openCase(one.skillCase, {});
  try {
    const before = opened.world.commits();
    for (const member of one.ids.filter((id) => !isOpen(id))) {
      const id = String((opened.request.input as Members)[member]);
      const missing = id.replace(/\w{6}$/, "000000");
      const foreign = await sendWith(opened, "other advertiser", member, id);
      const nothing = await sendWith(opened, "other advertiser", member, missing);
      expect(foreign.status, `${member}: ${JSON.stringify(foreign)}`).toBeGreaterThanOrEqual(400);
      expect(JSON.stringify(foreign).replaceAll(id, missing)).toBe(JSON.stringify(nothing));
    }
    expect(opened.world.commits()).toBe(before);
  } finally {
    await opened.world.close();
  }
});
