import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { isReached } from "../agent/api.ts";
import { canWrite } from "../agent/session.ts";

interface SheetButtonProps {
  readonly label: string;
  /** When the sheet is closed. */
  readonly after: () => void;
  readonly sheet: (close: () => void) => ComponentChildren;
  /** In place of the button; an open sheet stays, so that what became of each is read. */
  readonly instead?: ComponentChildren;
}

/** Opens a sheet that acts on several records; who may only read sees none. */
export const SheetButton = ({ label, after, sheet, instead = null }: SheetButtonProps) => {
  const [isOpen, setOpen] = useState(false);
  if (!canWrite()) return instead;
  const close = (): void => {
    setOpen(false);
    after();
  };
  return (
    <>
      {instead ?? (
        <button type="button" class="button small" disabled={!isReached.value} onClick={() => setOpen(true)}>
          {label}
        </button>
      )}
      {isOpen ? sheet(close) : null}
    </>
  );
};
