import { type CallOptions, callRoute, type ClientOptions, type ClientRoute } from "./call.ts";

/** Input and output by the operation's name. */
export type OperationTypes = Readonly<Record<string, { readonly input: object; readonly output: object }>>;

/** The row of a page: what its one list holds. */
type RowOf<Output, Rows> = Rows extends keyof Output
  ? Output[Rows] extends readonly (infer Row)[]
    ? Row
    : never
  : never;

/** An operation without a member that must be given may be called without input. */
type Given<Input> = object extends Input
  ? [input?: Input, options?: CallOptions]
  : [input: Input, options?: CallOptions];

type PagedNames<Routes> = {
  [Name in keyof Routes]: Routes[Name] extends { readonly rows: string } ? Name : never;
}[keyof Routes];

type RowsName<Route> = Route extends { readonly rows: infer Rows } ? Rows : never;

export interface AgentClient<Types extends OperationTypes, Routes> {
  /** Throws `ParleyError` with the agent's code where it refuses. */
  call<Name extends keyof Types & keyof Routes>(
    name: Name,
    ...given: Given<Types[Name]["input"]>
  ): Promise<Types[Name]["output"]>;
  /** The rows of every page, read as they are asked for; `limit` is the size of a page. */
  each<Name extends PagedNames<Routes> & keyof Types>(
    name: Name,
    ...given: Given<Types[Name]["input"]>
  ): AsyncGenerator<RowOf<Types[Name]["output"], RowsName<Routes[Name]>>, void, undefined>;
}

type Page = Readonly<Record<string, unknown>>;

/** By cursor, else by offset. Null: that was the last. */
const placeAfter = (page: Page, input: Page, shown: number): Page | null => {
  const { next_cursor: cursor, next_offset: offset, total } = page;
  if (typeof cursor === "string") return { cursor };
  if (typeof offset === "number") return { offset };
  const next = Number(input["offset"] ?? 0) + shown;
  const isMore = cursor === undefined && offset === undefined && typeof total === "number" && next < total;
  return isMore && shown > 0 ? { offset: next } : null;
};

export const clientOf = <Types extends OperationTypes, Routes extends Readonly<Record<string, ClientRoute>>>(
  routes: Routes,
  options: ClientOptions,
): AgentClient<Types, Routes> => {
  const routeOf = (name: PropertyKey): ClientRoute => {
    const route = Object.hasOwn(routes, name) ? routes[String(name)] : undefined;
    if (route === undefined) throw new TypeError(`There is no operation ${String(name)}.`);
    return route;
  };
  async function* eachRow(name: PropertyKey, input: Page = {}, call: CallOptions = {}): AsyncGenerator<unknown> {
    const route = routeOf(name);
    if (route.rows === undefined) throw new TypeError(`${String(name)} answers no pages.`);
    for (let place: Page | null = {}; place !== null;) {
      const asked: Page = { ...input, ...place };
      const page = (await callRoute(options, route, asked, call)) as Page;
      const rows = page[route.rows];
      if (!Array.isArray(rows)) return;
      yield* rows;
      place = placeAfter(page, asked, rows.length);
    }
  }
  return {
    call: async (name: PropertyKey, input: object = {}, call: CallOptions = {}) =>
      callRoute(options, routeOf(name), input as Page, call),
    each: eachRow,
  } as unknown as AgentClient<Types, Routes>;
};
