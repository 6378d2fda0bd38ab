import { defaultProducts } from "../../../agents/seller/catalog/default-products.ts";
import { type Reply, squash } from "./reply.ts";

interface Sold {
  readonly name: string;
  readonly type: string;
  readonly dealTypes: readonly string[];
}

export const catalog: ReadonlyMap<string, Sold> = new Map(
  defaultProducts.map((one) => [
    one.product_id,
    { name: one.name, type: one.inventory_type, dealTypes: one.deal_types },
  ]),
);

const idsOfType = (type: string): readonly string[] =>
  [...catalog].flatMap(([id, one]) => (one.type === type ? [id] : []));

export const typeOf = (id: string): string | undefined => catalog.get(id)?.type;

export const isLoneOfType = (id: string): boolean => idsOfType(typeOf(id) ?? "").length === 1;

/** People leave out lengths of spots, and what is in brackets. */
const spoken = (name: string): string => squash(name).replace(/30$|30bravousa$/, "");

export const nameIsIn = (text: string, id: string): boolean => {
  const name = catalog.get(id)?.name ?? id;
  return (
    text.includes(id) ||
    squash(text).includes(spoken(name)) ||
    squash(text).includes(spoken(name.split(/ — | - /)[0] ?? name))
  );
};

export const mentions = ({ text, datas }: Reply, id: string): boolean => {
  const body = datas.map(({ understood: _understood, options: _options, ...rest }) => rest);
  const hay = text + JSON.stringify(body);
  return hay.includes(id) || squash(hay).includes(spoken(catalog.get(id)?.name ?? id));
};
