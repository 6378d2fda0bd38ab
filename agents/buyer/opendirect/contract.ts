import { z } from "zod";
import { checkAvails } from "../../../skills/seller/avails/contract.ts";
import { type Contract, defineContract, type RestRoute } from "../../../protocol/seam/operation.ts";

const id = z.string().min(1).max(128);
const words = z.string().max(4_000);

/** OpenDirect 2.1, Object: Order. */
export const order = z.looseObject({ id, name: words, currency: z.string().max(8).nullish() });

/** OpenDirect 2.1, Object: Line. */
export const line = z.looseObject({
  id,
  productid: z.string(),
  startdate: z.string(),
  enddate: z.string(),
  ratetype: z.string(),
  rate: z.number(),
  qty: z.int(),
  cost: z.number().nullish(),
  bookingstatus: z.string().max(64),
});

export type OrderAnswer = z.output<typeof order>;
export type LineAnswer = z.output<typeof line>;

const call = <I extends z.ZodType, O extends z.ZodType>(
  name: string,
  effect: Contract["effect"],
  rest: RestRoute,
  input: I,
  output: O,
): Contract<I, O> =>
  defineContract({
    name,
    group: "opendirect",
    summary: name,
    effect,
    access: "key",
    input,
    output,
    refusals: {},
    rest,
  });

const page = { $skip: z.int(), $top: z.int() };
const inAccount = { account_id: id };
const inOrder = { ...inAccount, order_id: id };

/** A bare list, or the list under its name. */
const listed = <T extends z.ZodType>(name: string, item: T) =>
  z.union([
    z.array(item),
    z.looseObject({ [name]: z.array(item) }).transform((answer) => answer[name] as z.output<T>[]),
  ]);

const orders = "/accounts/:account_id/orders";
const lines = `${orders}/:order_id/lines`;

export const listOrders = call(
  "list_opendirect_orders",
  "read",
  { method: "GET", path: orders },
  z.object({ ...inAccount, ...page }),
  listed("orders", order),
);

export const createOrder = call(
  "create_opendirect_order",
  "write",
  { method: "POST", path: orders },
  z.looseObject(inAccount),
  order,
);

export const listLines = call(
  "list_opendirect_lines",
  "read",
  { method: "GET", path: lines },
  z.object({ ...inOrder, ...page }),
  listed("lines", line),
);

export const createLine = call(
  "create_opendirect_line",
  "write",
  { method: "POST", path: lines },
  z.looseObject(inOrder),
  line,
);

export const getLine = call(
  "get_opendirect_line",
  "read",
  { method: "GET", path: `${lines}/:line_id` },
  z.object({ ...inOrder, line_id: id }),
  line,
);

/** `reserve`, `book` or `cancel`; the answer may be the line before the move. */
export const moveLine = call(
  "move_opendirect_line",
  "write",
  { method: "PATCH", path: `${lines}/:line_id?action=:action` },
  z.object({ ...inOrder, line_id: id, action: z.enum(["reserve", "book", "cancel"]) }),
  z.looseObject({}),
);

/** Both forms answer here; figures of any form are read one by one. */
export const askAvails = defineContract({
  ...checkAvails,
  output: z.looseObject({
    availableImpressions: z.int().min(0).nullish(),
    estimatedCpm: z.number().nullish(),
    currency: z.string().max(8).nullish(),
    avails: z
      .array(
        z.looseObject({
          productid: z.string(),
          availability: z.int().min(0),
          price: z.number(),
          currency: z.string().max(8).nullish(),
        }),
      )
      .nullish(),
  }),
});
