import { z } from "zod";

/** Members that a client may add to any task. An unknown one is ignored, as AdCP wants it. */
const common = {
  adcp_version: z.unknown().optional().describe("The release that the client speaks, for example 3.2."),
  adcp_major_version: z.unknown().optional(),
  idempotency_key: z.unknown().optional().describe("The same with each attempt of one request."),
  context: z.unknown().optional().describe("Given back word for word."),
  context_id: z.unknown().optional(),
  governance_context: z.unknown().optional(),
  push_notification_config: z.unknown().optional(),
  ext: z.unknown().optional(),
};

export const requestOf = <S extends z.ZodRawShape>(shape: S) => z.looseObject({ ...common, ...shape });

const domain = z.string().trim().toLowerCase().min(1).max(253);

export const brand = z.looseObject({ domain, brand_id: z.string().max(255).nullish() });

/** By id, or by the natural key of brand and operator. */
export const accountRef = z.union([
  z.looseObject({ account_id: z.string().min(1).max(128) }),
  z.looseObject({ brand, operator: domain, sandbox: z.boolean().nullish() }),
]);

export const formatRef = z.looseObject({ agent_url: z.string().max(2048).nullish(), id: z.string().min(1).max(128) });

export const pagination = z.looseObject({
  max_results: z.int().min(1).max(100).nullish(),
  cursor: z.string().max(64).nullish(),
});

const usualPage = 50;

/** As lists of operations take it. */
export const pageOf = (page: z.output<typeof pagination> | null | undefined) => ({
  limit: page?.max_results ?? usualPage,
  ...(page?.cursor == null ? {} : { cursor: page.cursor }),
});

export const paged = (next: unknown) =>
  typeof next === "string" ? { pagination: { has_more: true, cursor: next } } : { pagination: { has_more: false } };
