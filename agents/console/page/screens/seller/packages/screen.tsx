import type { OutputOf } from "../../../agent/api.ts";
import { oneOf, screenOf, useAddress } from "../../../address.ts";
import { money, plain } from "../../../form.ts";
import * as seller from "../../../agent/seller.generated.ts";
import { Card, Chip, Facts } from "../../../parts/bits.tsx";
import { Filter, Page } from "../../../parts/page.tsx";
import { Rows } from "../../../parts/rows.tsx";
import { Empty, Shown } from "../../../parts/states.tsx";
import type { Column } from "../../../parts/table.tsx";
import { useRead } from "../../../agent/read.ts";
import { statusWords, wordOf } from "../../../words.ts";
import type { ScreenProps } from "../../screen.ts";
import { ArchivePackage, EditPackage, NewPackage } from "./edit.tsx";

type Package = OutputOf<typeof seller.getPackage>;

const columns: readonly Column<Package>[] = [
  { name: "Package", isLead: true, cell: (one) => plain(one.name) },
  { name: "Layer", cell: (one) => wordOf({}, one.layer) },
  { name: "Price", isNumber: true, cell: (one) => money(one.exact_price, one.currency) },
  { name: "Floor", isNumber: true, cell: (one) => money(one.floor_price, one.currency) },
  { name: "Products", isNumber: true, cell: (one) => one.placements?.length ?? 0 },
  { name: "Featured", cell: (one) => (one.is_featured ? <Chip tone="accent">Featured</Chip> : "") },
];

const statuses = ["draft", "archived"] as const;

const PackageList = () => {
  const { query } = useAddress();
  const { cursor } = query;
  const status = oneOf(statuses, query["status"]);
  const read = useRead(seller.listPackages, { limit: 50, status: status ?? undefined, cursor }, ["package."]);
  return (
    <Page title="Packages" note="Products sold together.">
      <div>
        <NewPackage />
      </div>
      <Filter
        name="status"
        label="State"
        values={statuses}
        wordOf={(value) => wordOf(statusWords, value)}
        all="On sale"
      />
      <Rows
        read={read}
        rowsOf={(page) => page.packages}
        caption="Packages"
        columns={columns}
        idOf={(one) => one.package_id}
        link={(one) => screenOf("packages", one.package_id)}
        empty={<Empty title="No package.">Make one above.</Empty>}
      />
    </Page>
  );
};

const PackagePage = ({ id }: { readonly id: string }) => {
  const read = useRead(seller.getPackage, { package_id: id }, ["package."]);
  const { output } = read;
  return (
    <Page
      title={output === null ? "Package" : plain(output.name)}
      back={{ href: screenOf("packages"), label: "All packages" }}
      chips={output?.status === undefined ? undefined : <Chip>{wordOf(statusWords, output.status)}</Chip>}
      note={output?.description == null ? undefined : plain(output.description, 400)}
    >
      {output === null ? null : (
        <p class="row">
          <EditPackage shown={output} again={read.again} />
          <ArchivePackage shown={output} again={read.again} />
        </p>
      )}
      <Shown read={read}>
        {(shown) => (
          <div class="columns">
            <Card title="What it is">
              <Facts
                rows={[
                  { name: "Package", value: shown.package_id, isCode: true },
                  { name: "Price", value: money(shown.exact_price, shown.currency) },
                  { name: "Floor", value: money(shown.floor_price, shown.currency) },
                  { name: "Range", value: shown.price_range },
                  { name: "Bargaining", value: shown.negotiation_enabled === true ? "allowed" : "not allowed" },
                  { name: "Places", value: shown.geo_targets.join(", ") || "everywhere" },
                ]}
              />
            </Card>
            <Card title="Products">
              {(shown.placements ?? []).length === 0 ? <p class="muted">None.</p> : null}
              <ul class="lines">
                {(shown.placements ?? []).map(({ product_id: product, product_name: name }) => (
                  <li key={product}>
                    <a href={screenOf("products", product)}>{plain(name)}</a>
                  </li>
                ))}
              </ul>
            </Card>
          </div>
        )}
      </Shown>
    </Page>
  );
};

export const PackagesScreen = ({ id }: ScreenProps) =>
  id === null ? <PackageList /> : <PackagePage key={id} id={id} />;
