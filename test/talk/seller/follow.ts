import type { Members, Option, Reply, Said, Talker } from "./talker.ts";

const operations: Readonly<Record<string, RegExp>> = {
  quoted: /^request_quote$/,
  booked: /^(?:book_deal|generate_deal)$/,
  accepted: /^(?:negotiate|submit_proposal|book_deal|change_deal|reschedule_deal)$/,
  agreed: /^negotiate$/,
  counter: /^(?:negotiate|submit_proposal)$/,
  rejected: /^(?:negotiate|withdraw_)/,
  cancelled: /^cancel_deal$/,
  changed: /^(?:cancel_deal|change_deal|reschedule_deal)$/,
  pending: /^(?:request_handover|cancel_deal|change_deal|reschedule_deal|submit_proposal|negotiate)$/,
};

const isEnd = ({ input }: Option): boolean => input["action"] === "reject";

const gives = (option: Option, effect: string): boolean =>
  operations[effect]?.test(option.operation) === true &&
  (option.operation !== "negotiate" || isEnd(option) === (effect === "rejected"));

const optionsIn = (said: readonly Said[]): readonly Option[] => said.flatMap(({ options = [] }) => options);

const takes = (options: readonly Option[]): Members => ({
  options: options.map(({ option, digest }) => ({ option, digest })),
});

/** What a buyer takes whose message is not done at once: as many options as there are effects that it wants. */
export const optionsFor = (said: readonly Said[], effects: readonly string[]): readonly Option[] => {
  const left = [...optionsIn(said)];
  if (effects.length > 1 && left.length === effects.length && effects.every((one) => one in operations)) return left;
  return effects.flatMap((effect) => {
    const at = left.findIndex((option) => gives(option, effect));
    return at < 0 ? [] : left.splice(at, 1);
  });
};

export const takeOptions = (
  talker: Pick<Talker, "send">,
  options: readonly Option[],
  { caller, contextId }: { readonly caller: string; readonly contextId: string | undefined },
): Promise<Reply> => talker.send(caller, "", { contextId, slots: takes(options) });

/** Offers, proposals and calls for a person, which their sender means: the talk goes on after them. */
const sent = /^(?:negotiate|submit_proposal|request_handover)$/;

/** Sends it, and sends on what it shows of the sender's own. */
export const sendOn = async (
  talker: Pick<Talker, "send">,
  text: string,
  { caller, contextId }: { readonly caller: string; readonly contextId: string | undefined },
): Promise<Reply> => {
  const reply = await talker.send(caller, text, { contextId });
  const [only, other] = optionsIn(reply.said);
  if (only === undefined || other !== undefined || !sent.test(only.operation)) return reply;
  const isBid = only.input["action"] !== "accept" && (/\d/.test(text) || only.operation !== "negotiate");
  const isMeant = isEnd(only) ? /^reject/.test(text) : isBid;
  return isMeant ? takeOptions(talker, [only], { caller, contextId: reply.contextId }) : reply;
};
