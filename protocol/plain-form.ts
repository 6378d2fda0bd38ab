import { z } from "zod";

/**
 * What can be said of a schema's values without running the schema, which builds two objects for each member. `test`:
 * whether a value surely has the form; false says nothing, the schema itself must then judge. `copy`: what the schema
 * reads of a value that has passed the test; null where only the schema knows.
 */
interface PlainForm {
  readonly test: (value: unknown) => boolean;
  readonly copy: ((value: unknown) => unknown) | null;
}

type Schema = z.core.$ZodType;
type Test = PlainForm["test"];
type Members = Record<string, unknown>;

const deepest = 8;

const same = (value: unknown): unknown => value;

const asks = (schema: Schema): PlainForm => ({ test: (value) => z.safeParse(schema, value).success, copy: null });

/** The tests of a text or a number by the name of their check; one that is not here is left to the schema. */
const testOfCheck = ({ _zod }: z.core.$ZodCheck): Test | null => {
  const def = _zod.def as { readonly check: string } & Readonly<Record<string, unknown>>;
  const [least, most, bound] = [Number(def["minimum"]), Number(def["maximum"]), Number(def["value"])];
  const { inclusive, pattern } = def;
  switch (def.check) {
    case "min_length":
      return (value) => (value as string).length >= least;
    case "max_length":
      return (value) => (value as string).length <= most;
    case "greater_than":
      return (value) => (value as number) > bound || (inclusive === true && value === bound);
    case "less_than":
      return (value) => (value as number) < bound || (inclusive === true && value === bound);
    case "string_format":
      return def["format"] === "regex" && pattern instanceof RegExp && !pattern.global && !pattern.sticky
        ? (value) => pattern.test(value as string)
        : null;
    default:
      return null;
  }
};

const testOfType = (schema: Schema): Test | null => {
  const def = schema._zod.def as z.core.$ZodTypeDef & { readonly coerce?: boolean; readonly format?: string };
  if (def.coerce === true) return null;
  if (def.type === "boolean") return (value) => typeof value === "boolean";
  if (def.type === "string" && def.format === undefined) return (value) => typeof value === "string";
  if (def.type !== "number") return null;
  if (def.format === undefined) return Number.isFinite;
  return def.format === "safeint" ? Number.isSafeInteger : null;
};

const scalarForm = (schema: Schema): PlainForm => {
  let test = testOfType(schema);
  for (const check of schema._zod.def.checks ?? []) {
    const [before, next] = [test, testOfCheck(check)];
    test = before === null || next === null ? null : (value) => before(value) && next(value);
  }
  return test === null ? asks(schema) : { test, copy: same };
};

const objectForm = (schema: z.ZodObject, depth: number): PlainForm => {
  const { catchall } = schema.def;
  if (catchall !== undefined && !(catchall instanceof z.ZodUnknown)) return asks(schema);
  const members = Object.entries(schema.shape).map(([name, member]) => {
    const { test, copy } = formAt(member, depth + 1);
    return { name, test, copy, mayLack: member._zod.optin !== undefined };
  });
  const isCopied = catchall === undefined && members.every(({ copy }) => copy !== null);
  return {
    test: (value) => {
      if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
      for (const { name, test, mayLack } of members) {
        const member = (value as Members)[name];
        if ((member === undefined && !mayLack) || !test(member)) return false;
      }
      return true;
    },
    copy: !isCopied
      ? null
      : (value) => {
          const named: Members = {};
          for (const { name, copy } of members) {
            const member = (value as Members)[name];
            if (member !== undefined || name in (value as Members)) named[name] = copy?.(member);
          }
          return named;
        },
  };
};

const arrayForm = (schema: z.ZodArray, depth: number): PlainForm => {
  const { test, copy } = formAt(schema.element, depth + 1);
  return {
    test: (value) => {
      if (!Array.isArray(value)) return false;
      for (const item of value) if (!test(item)) return false;
      return true;
    },
    copy: copy === null ? null : (value) => Array.from(value as readonly unknown[], (item) => copy(item)),
  };
};

/**
 * A schema that lets `absent` through as it is, and asks the one within for all else. What only the schema within can
 * read is mostly absent, and is read twice where it is there.
 */
const absenceForm = (within: Schema, absent: null | undefined, depth: number): PlainForm => {
  const { test, copy } = formAt(within, depth + 1);
  const read = copy ?? ((value: unknown): unknown => z.parse(within, value));
  return {
    test: (value) => value === absent || test(value),
    copy: (value) => (value === absent ? value : read(value)),
  };
};

const defaultForm = (within: Schema, depth: number): PlainForm => {
  const { test, copy } = formAt(within, depth + 1);
  return { test: (value) => value !== undefined && test(value), copy };
};

const formAt = (schema: Schema, depth: number): PlainForm => {
  if (depth > deepest) return asks(schema);
  if (schema instanceof z.ZodString || schema instanceof z.ZodNumber) return scalarForm(schema);
  if ((schema._zod.def.checks ?? []).length > 0) return asks(schema);
  if (schema instanceof z.ZodObject) return objectForm(schema, depth);
  if (schema instanceof z.ZodArray) return arrayForm(schema, depth);
  if (schema instanceof z.ZodNullable) return absenceForm(schema.unwrap(), null, depth);
  if (schema instanceof z.ZodDefault) return defaultForm(schema.unwrap(), depth);
  if (schema instanceof z.ZodOptional && !(schema instanceof z.ZodExactOptional)) {
    return schema._zod.optin === "defaulted" ? asks(schema) : absenceForm(schema.unwrap(), undefined, depth);
  }
  if (!(schema instanceof z.ZodEnum || schema instanceof z.ZodLiteral)) return scalarForm(schema);
  const { values } = schema._zod;
  return { test: (value) => (values as ReadonlySet<unknown>).has(value), copy: same };
};

const known = new WeakMap<Schema, PlainForm>();

/** The plain form of a schema, made once. */
export const plainForm = (schema: Schema): PlainForm => {
  const found = known.get(schema);
  if (found !== undefined) return found;
  const made = formAt(schema, 0);
  known.set(schema, made);
  return made;
};
