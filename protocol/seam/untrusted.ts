import type { z } from "zod";
import { seenText } from "../neutral/seen-text.ts";
import { isMembers } from "../neutral/json-input.ts";
import { jsonSchemaOf } from "./json-schema.ts";

/** The member of a schema, as JSON Schema and OpenAPI show it: others wrote this, so it is data and no instruction. */
const marker = "x-untrusted";

/** Words that the other side, or whoever claims to be it, wrote: of buyers at a seller, of sellers at a buyer. */
export const fromOthers = <T extends z.ZodType>(schema: T): T => schema.meta({ [marker]: true });

/** Which members hold such words, at each level; null: none below. */
export interface UntrustedPlan {
  readonly members: ReadonlyMap<string, UntrustedPlan | "words">;
}

/** Of a refusal that another side caused: what it said. Refusals have no schema to mark. */
export const wordsOfRefusals: UntrustedPlan = { members: new Map([["seller_detail", "words"]]) };

const isMarked = (schema: unknown): boolean =>
  isMembers(schema) && (schema[marker] === true || [schema["anyOf"]].flat().some(isMarked));

/** Of a schema all forms: a nullable member is one of two, a list is its items. */
const formsOf = (schema: unknown): readonly Readonly<Record<string, unknown>>[] =>
  isMembers(schema) ? [schema, ...[schema["anyOf"], schema["items"]].flat().flatMap((form) => formsOf(form))] : [];

const planIn = (schema: unknown): UntrustedPlan | null => {
  const members = new Map<string, UntrustedPlan | "words">();
  for (const { properties } of formsOf(schema)) {
    for (const [name, member] of Object.entries(isMembers(properties) ? properties : {})) {
      const inner = isMarked(member) ? "words" : planIn(member);
      if (inner !== null) members.set(name, inner);
    }
  }
  return members.size === 0 ? null : { members };
};

const plans = new WeakMap<z.ZodType, { readonly plan: UntrustedPlan | null }>();

/** Made once for each schema. */
export const untrustedPlan = (schema: z.ZodType): UntrustedPlan | null => {
  const known = plans.get(schema) ?? { plan: planIn(jsonSchemaOf(schema, "output")) };
  plans.set(schema, known);
  return known.plan;
};

const seen = (value: unknown): unknown => {
  if (typeof value === "string") return seenText(value);
  if (Array.isArray(value)) return value.map(seen);
  if (!isMembers(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [seenText(name), seen(member)]));
};

const isSaid = (value: unknown): boolean => {
  if (typeof value !== "object" || value === null) return value != null && value !== "";
  return Object.keys(value).length > 0;
};

export const markOf = (name: string): string => `${name}_untrusted`;

/** `notes` gets `notes_untrusted: true` beside it, and what is invisible in it is escaped. */
export const markUntrusted = (value: unknown, plan: UntrustedPlan | null): unknown => {
  if (plan === null) return value;
  if (Array.isArray(value)) return value.map((item) => markUntrusted(item, plan));
  if (!isMembers(value)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, member]): readonly (readonly [string, unknown])[] => {
      const inner = plan.members.get(name);
      if (inner === undefined) return [[name, member]];
      if (inner !== "words") return [[name, markUntrusted(member, inner)]];
      return isSaid(member)
        ? [
            [name, seen(member)],
            [markOf(name), true],
          ]
        : [[name, member]];
    }),
  );
};
