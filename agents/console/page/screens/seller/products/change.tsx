import { useState } from "preact/hooks";
import { amountIn, unreadable } from "../../../amount.ts";
import type { OutputOf } from "../../../agent/api.ts";
import * as seller from "../../../agent/seller.generated.ts";
import { day, money, plain } from "../../../form.ts";
import { Act } from "../../../parts/act.tsx";
import { Field, Select } from "../../../parts/field.tsx";
import { useUnusual } from "../../../parts/unusual.tsx";
import { Table } from "../../../parts/table.tsx";
import { acceptText, differences, salesFrom } from "./differences.ts";

type Product = OutputOf<typeof seller.getProduct>;
type Checked = OutputOf<typeof seller.updateProduct>;

const bases = ["flights that start on it or later", "bookings made on it or later"] as const;

type Basis = (typeof bases)[number];

interface Form {
  readonly price: string;
  readonly floor: string;
  readonly target: string;
  readonly cap: string;
  readonly isUncapped: boolean;
  readonly from: string;
  readonly basis: Basis;
  readonly reason: string;
}

const emptyForm: Form = {
  price: "",
  floor: "",
  target: "",
  cap: "",
  isUncapped: false,
  from: "",
  basis: bases[0],
  reason: "",
};

/** A price, a share of the list price or the floor; null: it cannot be read. */
const targetIn = (text: string): number | string | null =>
  /^\d{1,3}(\.\d{1,2})? ?%$|^floor$/.test(text.trim()) ? text.trim() : amountIn(text);

const unreadableTarget = (text: string): string | null =>
  text.trim() !== "" && targetIn(text) === null ? "A price, a share as 85%, or the word floor." : null;

/** Null: a field cannot be read, or nothing is to change. */
const inputOf = (id: string, form: Form) => {
  const target = form.target.trim() === "" ? undefined : targetIn(form.target);
  const texts = { base_cpm: form.price, floor_cpm: form.floor, maximum_impressions: form.isUncapped ? "" : form.cap };
  const given = Object.entries(texts)
    .filter(([, text]) => text.trim() !== "")
    .map(([name, text]) => [name, amountIn(text)] as const);
  const isEmpty = given.length === 0 && target === undefined && !form.isUncapped;
  if (given.some(([, amount]) => amount === null) || target === null || isEmpty) return null;
  return {
    product_id: id,
    ...(Object.fromEntries(given) as Partial<Record<keyof typeof texts, number>>),
    ...(target === undefined ? {} : { accept_from: target }),
    ...(form.isUncapped ? { no_cap: true } : {}),
    ...(form.from === "" ? {} : { [form.basis === bases[0] ? "effective_from" : "booked_from"]: form.from }),
    ...(form.reason.trim() === "" ? {} : { reason: form.reason.trim() }),
  };
};

const Before = ({ checked }: { readonly checked: Checked }) => {
  const rows = differences(checked, checked.currency);
  if (rows.length === 0) return <p class="notice">{salesFrom(checked)} have it so already.</p>;
  return (
    <>
      <p>{plain(checked.status_text)}</p>
      <Table
        caption="Before and after"
        rows={rows}
        idOf={({ name }) => name}
        columns={[
          { name: "What", isLead: true, cell: ({ name }) => name },
          { name: `Until ${day(checked.before.until)}`, isNumber: true, cell: ({ old }) => old },
          { name: `From ${day(checked.after.from)}`, isNumber: true, cell: ({ fresh }) => <b>{fresh}</b> },
        ]}
      />
    </>
  );
};

interface PricesProps {
  readonly product: Product;
  readonly form: Form;
  readonly set: (patch: Partial<Form>) => void;
}

const Prices = ({ product, form, set }: PricesProps) => {
  const taken = acceptText(product.accept_from, product.currency);
  return (
    <>
      <Field
        label={`List price per thousand, now ${money(product.base_cpm, product.currency)}`}
        value={form.price}
        onInput={(price) => set({ price })}
        error={unreadable(form.price)}
        maxLength={14}
        autoFocus
      />
      <Field
        label={`Floor, now ${money(product.floor_cpm, product.currency)}`}
        value={form.floor}
        onInput={(floor) => set({ floor })}
        error={unreadable(form.floor)}
        maxLength={14}
      />
      <Field
        label={`Target prices from (a price, 85%, or floor), now ${taken}`}
        value={form.target}
        onInput={(target) => set({ target })}
        error={unreadableTarget(form.target)}
        maxLength={14}
      />
    </>
  );
};

const whatStays = "Quotes and deals that exist keep their terms. It can be changed again at any time.";

export const ChangeProduct = ({ product, again }: { readonly product: Product; readonly again: () => void }) => {
  const [form, setForm] = useState(emptyForm);
  const set = (patch: Partial<Form>): void => setForm({ ...form, ...patch });
  const unusual = useUnusual(
    [
      { name: "list price", old: product.base_cpm, fresh: amountIn(form.price) },
      { name: "floor", old: product.floor_cpm, fresh: amountIn(form.floor) },
    ],
    product.currency,
  );
  return (
    <Act
      op={seller.updateProduct}
      input={unusual.isOpen ? null : inputOf(product.product_id, form)}
      missing={unusual.isOpen ? "Confirm the unusual price." : "Nothing is changed yet: fill in a field."}
      label="Change price, floor or cap"
      verb="Yes, change it"
      question={`${plain(product.name)}. Empty fields stay. ${whatStays}`}
      shows={(checked) => <Before checked={checked} />}
      revisionOf={({ revision }) => revision - 1}
      after={() => {
        setForm(emptyForm);
        again();
      }}
    >
      <div class="pair">
        <Prices product={product} form={form} set={set} />
        <Field
          label="Cap: whole volumes of the guaranteed deals that run on one day"
          value={form.isUncapped ? "" : form.cap}
          onInput={(cap) => set({ cap, isUncapped: false })}
          error={unreadable(form.cap)}
          maxLength={20}
        />
        <Field label="First day (UTC); empty: today" type="date" value={form.from} onInput={(from) => set({ from })} />
        <Select label="The day counts for" value={form.basis} values={bases} onChange={(basis) => set({ basis })} />
      </div>
      <label class="check">
        <input
          type="checkbox"
          checked={form.isUncapped}
          onChange={(event) => set({ isUncapped: event.currentTarget.checked })}
        />
        No cap
      </label>
      {unusual.question}
      <Field
        label="Reason, for other operators (optional)"
        value={form.reason}
        onInput={(reason) => set({ reason })}
        maxLength={500}
      />
    </Act>
  );
};
