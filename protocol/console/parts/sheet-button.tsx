import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { isReached } from "../agent/api.ts";
import { canWrite } from "../agent/session.ts";

interface SheetButtonProps {
  readonly label: string;
  /** When the sheet is closed. */
  readonly after: () => void;
  readonly sheet: (close: () => void) => ComponentChildren;
}

/** Opens a sheet that acts on several records; who may only read sees none. */
export const SheetButton = ({ label, after, sheet }: SheetButtonProps) => {
  const [isOpen, setOpen] = useState(false);
  if (!canWrite()) return null;
  const close = (): void => {
    setOpen(false);
    after();
  };
  return (
    <>
      <button type="button" class="button small" disabled={!isReached.value} onClick={() => setOpen(true)}>
        {label}
      </button>
      {isOpen ? sheet(close) : null}
    </>
  );
};
