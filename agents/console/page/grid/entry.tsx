import { useLocation } from "preact-iso";
import type { ComponentChildren } from "preact";
import { useAddress } from "../address.ts";
import { Modal } from "../parts/modal.tsx";

/** Links that open a row over its list, at the same page of it. */
export const useEntry = () => {
  const { query, linkTo } = useAddress();
  const { route } = useLocation();
  const { cursor = null, entry = null } = query;
  return {
    entry,
    linkTo: (id: string): string => linkTo({ entry: id, cursor }),
    close: () => route(linkTo({ entry: null, cursor }), true),
  };
};

interface EntrySheetProps<Row> {
  readonly rows: readonly Row[];
  readonly idOf: (row: Row) => string;
  readonly titleOf: (row: Row) => string;
  readonly children: (row: Row) => ComponentChildren;
}

/** The row that the address names, whole. */
export const EntrySheet = <Row,>({ rows, idOf, titleOf, children }: EntrySheetProps<Row>) => {
  const { entry, close } = useEntry();
  if (entry === null) return null;
  const row = rows.find((one) => idOf(one) === entry);
  return (
    <Modal title={row === undefined ? "Not on this page" : titleOf(row)} close={close}>
      {row === undefined ? (
        <p>The list has moved on. Narrow it by day, person or record to find the entry.</p>
      ) : (
        children(row)
      )}
    </Modal>
  );
};
