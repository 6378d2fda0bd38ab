import { z } from "zod";

/** What an agent may be. */
export const agentTypes = ["buyer", "seller", "tool_provider", "data_provider", "other"] as const;

export type AgentType = (typeof agentTypes)[number];

const shortText = z.string().trim().max(255);
const longText = z.string().trim().max(4000);

const httpUrl = z
  .string()
  .max(2048)
  .refine((url) => URL.canParse(url) && /^https?:$/.test(new URL(url).protocol));

const words = z.array(shortText).max(100).catch([]);

const skill = z.object({
  id: shortText,
  name: shortText.catch(""),
  description: longText.catch(""),
  tags: words,
});

/** A skill that is none is left out: one odd entry does not hide an agent. */
const skills = z
  .array(z.unknown())
  .max(100)
  .catch([])
  .transform((entries) => entries.map((entry) => skill.safeParse(entry).data).filter((entry) => entry !== undefined));

/**
 * What is kept of an agent's own card (wire contract 3.9). Without a name and an http(s) address it is no card; of
 * everything else what has another form is left out. The card is the agent's word about itself: nothing in it decides
 * who the agent is or what it may do.
 */
const agentCard = z.object({
  name: shortText.min(1),
  description: longText.catch(""),
  url: httpUrl,
  version: shortText.catch("1.0.0"),
  provider: z
    .object({ name: shortText, url: httpUrl.nullable().catch(null) })
    .nullable()
    .catch(null),
  capabilities: z
    .object({
      protocols: z.array(shortText).max(20).catch(["a2a"]),
      streaming: z.boolean().catch(false),
      push_notifications: z.boolean().catch(false),
    })
    .catch({ protocols: ["a2a"], streaming: false, push_notifications: false }),
  skills,
  authentication: z.object({ schemes: words }).catch({ schemes: ["api_key"] }),
  inventory_types: words,
  supported_deal_types: words,
});

export type AgentCard = z.output<typeof agentCard>;

/** Reads a card as it was fetched; null when it is none. */
export const readCard = (fetched: unknown): AgentCard | null => agentCard.safeParse(fetched).data ?? null;

/** The type that the card names; an agent that names none, or an unknown one, is a buyer (wire contract 3.9). */
export const typeOfCard = (fetched: unknown): AgentType => {
  const named = (fetched as { agent_type?: unknown } | null)?.agent_type;
  return agentTypes.find((type) => type === named) ?? "buyer";
};

/** The card that a dry run shows of an agent that nobody asked: what its address says. */
export const unseenCard = (url: string): AgentCard => agentCard.parse({ name: new URL(url).host.slice(0, 255), url });
