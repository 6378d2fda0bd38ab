import type { OutputOf } from "../../../agent/api.ts";
import * as seller from "../../../agent/seller.generated.ts";
import { plain } from "../../../form.ts";
import { Act } from "../../../parts/act.tsx";
import { Card } from "../../../parts/bits.tsx";
import { Table } from "../../../parts/table.tsx";
import { differences, salesFrom } from "./differences.ts";

type Product = OutputOf<typeof seller.getProduct>;
type Change = NonNullable<Product["planned_changes"]>[number];

/** The same day again, with what holds before it. */
const undoOf = (product: Product, { effective_from, booked_from, before, after }: Change) => ({
  product_id: product.product_id,
  ...(booked_from === undefined ? { effective_from } : { booked_from }),
  ...(before.base_cpm === after.base_cpm ? {} : { base_cpm: before.base_cpm }),
  ...(before.floor_cpm === after.floor_cpm ? {} : { floor_cpm: before.floor_cpm }),
  ...(before.accept_from === after.accept_from ? {} : { accept_from: before.accept_from ?? "floor" }),
  ...(before.maximum_impressions === after.maximum_impressions
    ? {}
    : before.maximum_impressions === null
      ? { no_cap: true }
      : { maximum_impressions: before.maximum_impressions }),
});

const wordsOf = (change: Change, { currency }: Product): string =>
  differences(change, currency)
    .map(({ name, old, fresh }) => `${name} ${old} → ${fresh}`)
    .join(", ");

export const Planned = ({ product, again }: { readonly product: Product; readonly again: () => void }) => {
  const changes = product.planned_changes ?? [];
  if (changes.length === 0) return null;
  return (
    <Card title="Planned changes" note="quotes made before keep their price">
      <Table<Change>
        caption="Planned changes"
        rows={changes}
        idOf={salesFrom}
        columns={[
          { name: "From", isLead: true, cell: salesFrom },
          { name: "What", cell: (change) => wordsOf(change, product) },
          { name: "Why", cell: (change) => plain(change.reason, 300) },
          {
            name: "Change",
            isAct: true,
            cell: (change) => (
              <Act
                op={seller.updateProduct}
                input={undoOf(product, change)}
                label="Take it back"
                tone="danger"
                question={
                  `${wordsOf(change, product)}: this does not happen. ` + `${salesFrom(change)} keep what holds before.`
                }
                after={again}
              />
            ),
          },
        ]}
      />
    </Card>
  );
};
