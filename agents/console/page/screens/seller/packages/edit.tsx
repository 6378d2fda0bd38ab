import { useLocation } from "preact-iso";
import { useState } from "preact/hooks";
import { screenOf } from "../../../address.ts";
import { amountIn, unreadable } from "../../../amount.ts";
import type { OutputOf } from "../../../agent/api.ts";
import * as seller from "../../../agent/seller.generated.ts";
import { useRead } from "../../../agent/read.ts";
import { money, plain } from "../../../form.ts";
import { Act } from "../../../parts/act.tsx";
import { Facts } from "../../../parts/bits.tsx";
import { Field } from "../../../parts/field.tsx";
import { wordOf } from "../../../words.ts";

type Package = OutputOf<typeof seller.getPackage>;
type Checked = OutputOf<typeof seller.updatePackage>;

interface Form {
  readonly name: string;
  readonly price: string;
  readonly floor: string;
  readonly description: string;
  readonly products: readonly string[];
}

const emptyForm: Form = { name: "", price: "", floor: "", description: "", products: [] };

const isReadable = ({ price, floor }: Form): boolean => unreadable(price) === null && unreadable(floor) === null;

/** What is written in the fields; empty ones are left out. */
const given = ({ name, price, floor, description, products }: Form) => {
  const [base, lowest] = [amountIn(price), amountIn(floor)];
  return {
    ...(name.trim() === "" ? {} : { name: name.trim() }),
    ...(base === null ? {} : { base_price: base }),
    ...(lowest === null ? {} : { floor_price: lowest }),
    ...(description.trim() === "" ? {} : { description: description.trim() }),
    ...(products.length === 0 ? {} : { product_ids: [...products] }),
  };
};

const Products = ({
  chosen,
  set,
}: {
  readonly chosen: readonly string[];
  readonly set: (ids: readonly string[]) => void;
}) => {
  const read = useRead(seller.listProducts, { limit: 200 }, ["product."], false);
  return (
    <fieldset class="picks">
      <legend>Products</legend>
      {(read.output?.products ?? []).map(({ product_id: id, name }) => (
        <label key={id} class="check">
          <input
            type="checkbox"
            checked={chosen.includes(id)}
            onChange={() => set(chosen.includes(id) ? chosen.filter((one) => one !== id) : [...chosen, id])}
          />
          {plain(name)}
        </label>
      ))}
    </fieldset>
  );
};

const Fields = ({
  form,
  set,
  now,
}: {
  readonly form: Form;
  readonly set: (patch: Partial<Form>) => void;
  readonly now?: Package;
}) => (
  <>
    <Field label="Name" value={form.name} onInput={(name) => set({ name })} maxLength={255} autoFocus />
    <div class="pair">
      <Field
        label={now === undefined ? "Price per thousand" : `Price, now ${money(now.base_price, now.currency)}`}
        value={form.price}
        onInput={(price) => set({ price })}
        error={unreadable(form.price)}
        maxLength={14}
      />
      <Field
        label={now === undefined ? "Floor" : `Floor, now ${money(now.floor_price, now.currency)}`}
        value={form.floor}
        onInput={(floor) => set({ floor })}
        error={unreadable(form.floor)}
        maxLength={14}
      />
    </div>
    <Field
      label="Description"
      value={form.description}
      onInput={(description) => set({ description })}
      maxLength={4000}
    />
    <Products chosen={form.products} set={(products) => set({ products })} />
  </>
);

const Becomes = ({ checked }: { readonly checked: Checked }) => (
  <div class="notice">
    <p>It becomes:</p>
    <Facts
      rows={[
        { name: "Name", value: checked.name },
        { name: "State", value: wordOf({}, checked.status) },
        { name: "Price", value: money(checked.base_price, checked.currency) },
        { name: "Floor", value: money(checked.floor_price, checked.currency) },
        {
          name: "Products",
          value: checked.placements.map(({ product_name: name }) => plain(name)).join(", ") || "none",
        },
        ...(checked.warnings ?? []).map((warning, at) => ({ name: `Note ${at + 1}`, value: warning })),
      ]}
    />
  </div>
);

export const NewPackage = () => {
  const { route } = useLocation();
  const [form, setForm] = useState(emptyForm);
  const isWhole = form.name.trim() !== "" && form.products.length > 0 && isReadable(form);
  return (
    <Act
      op={seller.createPackage}
      input={isWhole ? { ...given(form), name: form.name.trim() } : null}
      label="Make a package"
      question="Buyers see it at once. Without a price it costs what its products cost together."
      shows={(checked) => <Becomes checked={checked} />}
      after={(made) => route(screenOf("packages", made.package_id))}
    >
      <Fields form={form} set={(patch) => setForm({ ...form, ...patch })} />
    </Act>
  );
};

export const EditPackage = ({ shown, again }: { readonly shown: Package; readonly again: () => void }) => {
  const [form, setForm] = useState(emptyForm);
  const patch = given(form);
  const isWhole = Object.keys(patch).length > 0 && isReadable(form);
  return (
    <Act
      op={seller.updatePackage}
      input={isWhole ? { package_id: shown.package_id, ...patch } : null}
      label="Change"
      question={`${plain(shown.name)}. Empty fields stay; chosen products replace all that are in it.`}
      shows={(checked) => <Becomes checked={checked} />}
      revisionOf={() => shown.revision}
      again={again}
      after={() => {
        setForm(emptyForm);
        again();
      }}
    >
      <Fields form={form} set={(more) => setForm({ ...form, ...more })} now={shown} />
    </Act>
  );
};

/** Archived packages are brought back by the same screen. */
export const ArchivePackage = ({ shown, again }: { readonly shown: Package; readonly again: () => void }) =>
  shown.status === "archived" ? (
    <Act
      op={seller.updatePackage}
      input={{ package_id: shown.package_id, status: "active" as const }}
      label="Bring back"
      question={`${plain(shown.name)} is shown to buyers again.`}
      after={again}
    />
  ) : (
    <Act
      op={seller.archivePackage}
      input={{ package_id: shown.package_id }}
      label="Archive"
      tone="danger"
      question={`${plain(shown.name)} is no longer shown or quoted. Quotes and deals that exist keep their terms.`}
      after={again}
    />
  );
