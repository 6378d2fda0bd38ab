import { setSingleKeys, singleKeys } from "../keys.ts";
import { Modal } from "./modal.tsx";

const rows: readonly (readonly [string, string])[] = [
  ["j, k", "next, previous"],
  ["Enter", "open, or confirm"],
  ["a, c, r", "approve, counter, reject"],
  ["x", "select"],
  ["/", "find any record, buyer, product or setting"],
  ["f", "narrow the list by a text"],
  ["g then a letter", "go to a screen"],
  [".", "this screen as a call"],
  ["Esc", "back"],
];

export const KeyHelp = ({ close }: { readonly close: () => void }) => (
  <Modal title="Keys" close={close}>
    <dl class="facts">
      {rows.map(([key, meaning]) => (
        <div key={key}>
          <dt>
            <kbd>{key}</kbd>
          </dt>
          <dd>{meaning}</dd>
        </div>
      ))}
    </dl>
    <label class="check">
      <input
        type="checkbox"
        checked={singleKeys.value}
        onChange={(event) => setSingleKeys(event.currentTarget.checked)}
      />
      Single keys act on these pages
    </label>
  </Modal>
);
