import type { ComponentChildren } from "preact";
import { plain, priceText } from "../../../form.ts";
import { Chip, type Tone } from "../../../parts/bits.tsx";

/** What one seller asks for one product. */
export interface Asked {
  readonly seller: string;
  readonly group: string;
  readonly name: string;
  readonly price: number | null;
  readonly currency: string | null;
  readonly reach: number | null;
  readonly reachText: string;
  readonly terms: string;
  /** Chosen, or bought. */
  readonly isOurs: boolean;
  /** Why it is not, or what became of it. */
  readonly note?: string | undefined;
  /** Where it can be chosen, and turns it. */
  readonly turn?: (() => void) | undefined;
}

export interface SellerColumn {
  readonly url: string;
  readonly name: string;
  readonly trust: string | null;
  readonly note: string;
}

/** Products of two sellers stand in one row where they are called the same. */
const rowName = ({ name }: Asked): string => plain(name).trim().toLowerCase();

const priceOf = ({ price }: Asked): number => price ?? Infinity;

/** The price and the reach that nobody else in the row has, in a word. */
const bestOf = (one: Asked, row: readonly Asked[]): string | null => {
  const others = row.filter((other) => other.seller !== one.seller && other.currency === one.currency);
  if (others.length === 0) return null;
  if (one.price !== null && others.every((other) => priceOf(other) > priceOf(one))) return "best: price";
  return others.every((other) => (other.reach ?? 0) < (one.reach ?? 0)) ? "best: reach" : null;
};

const Offer = ({ one, best }: { readonly one: Asked; readonly best: string | null }) => {
  const words = (
    <>
      {one.turn === undefined ? null : <input type="checkbox" checked={one.isOurs} onChange={one.turn} />}
      <b>{one.price === null ? "price not shown to us" : priceText(one.price, one.currency)}</b>
      <span class="muted">{one.reachText}</span>
      <span class="muted">{one.terms}</span>
      {best === null ? null : <i>{best}</i>}
    </>
  );
  const look = one.isOurs ? "offer ours" : "offer";
  const label = `${plain(one.name)}, ${plain(one.seller)}`;
  return (
    <>
      {one.turn === undefined ? (
        <span class={look}>{words}</span>
      ) : (
        <label class={look}>
          <span class="unseen">{label}</span>
          {words}
        </label>
      )}
      {one.note === undefined ? null : <small class="muted">{one.note}</small>}
    </>
  );
};

const trustTones: Readonly<Record<string, Tone>> = { verified: "ok", preferred: "ok", blocked: "bad" };

const trustWords = (trust: string): string => (trust === "unknown" ? "trust not known" : plain(trust));

const SellerHead = ({ name, trust, note }: SellerColumn) => (
  <th scope="col">
    {plain(name)} {trust === null ? null : <Chip tone={trustTones[trust] ?? "quiet"}>{trustWords(trust)}</Chip>}
    <small class="muted">{note}</small>
  </th>
);

interface MatrixProps {
  readonly caption: string;
  readonly sellers: readonly SellerColumn[];
  readonly offers: readonly Asked[];
  readonly head?: (group: string) => ComponentChildren;
  /** What a seller without an offer in a row is said to do. */
  readonly empty: string;
}

const ProductRow = ({ row, sellers, empty }: Pick<MatrixProps, "sellers" | "empty"> & { row: readonly Asked[] }) => (
  <tr>
    <th scope="row">{plain(row[0]?.name ?? "")}</th>
    {sellers.map((column) => {
      const own = row.filter(({ seller }) => seller === column.url);
      return (
        <td key={column.url} data-name={plain(column.name)}>
          {own.length === 0 ? <span class="muted">{empty}</span> : null}
          {own.map((one, at) => (
            <Offer key={at} one={one} best={bestOf(one, row)} />
          ))}
        </td>
      );
    })}
  </tr>
);

const Group = ({ group, ...props }: MatrixProps & { readonly group: string }) => {
  const offers = props.offers.filter((one) => one.group === group);
  return (
    <tbody>
      <tr class="group">
        <th scope="rowgroup" colSpan={props.sellers.length + 1}>
          <span>{group}</span>
          {props.head?.(group)}
        </th>
      </tr>
      {[...new Set(offers.map(rowName))].map((name) => (
        <ProductRow key={name} {...props} row={offers.filter((one) => rowName(one) === name)} />
      ))}
    </tbody>
  );
};

/** Sellers beside each other, products below each other, in groups; `head` is what stands beside a group's name. */
export const Matrix = (props: MatrixProps) => (
  <div class="card matrix">
    <table>
      <caption class="unseen">{props.caption}</caption>
      <thead>
        <tr>
          <th scope="col">
            Product<small class="muted">CPM, reach, terms</small>
          </th>
          {props.sellers.map((column) => (
            <SellerHead key={column.url} {...column} />
          ))}
        </tr>
      </thead>
      {[...new Set(props.offers.map(({ group }) => group))].map((group) => (
        <Group key={group} {...props} group={group} />
      ))}
    </table>
  </div>
);
