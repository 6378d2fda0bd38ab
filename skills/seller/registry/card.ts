import { z } from "zod";

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

/** One malformed skill must not hide an agent. */
const skills = z
  .array(z.unknown())
  .max(100)
  .catch([])
  .transform((entries) => entries.map((entry) => skill.safeParse(entry).data).filter((entry) => entry !== undefined));

/**
 * Only name and http(s) address are required; other malformed members are dropped. The card is the agent's own claim:
 * nothing in it proves who the agent is or what it may do.
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

export const readCard = (fetched: unknown): AgentCard | null => agentCard.safeParse(fetched).data ?? null;

/** Without a known type it is a buyer. */
export const typeOfCard = (fetched: unknown): AgentType => {
  const named = (fetched as { agent_type?: unknown } | null)?.agent_type;
  return agentTypes.find((type) => type === named) ?? "buyer";
};

/** A dry run fetches nothing: the card from the address alone. */
export const unseenCard = (url: string): AgentCard => agentCard.parse({ name: new URL(url).host.slice(0, 255), url });
