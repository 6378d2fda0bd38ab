import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";

/** A button that opens a small panel below it; Escape or a press elsewhere closes it. */
export const Menu = ({
  label,
  children,
}: {
  readonly label: ComponentChildren;
  readonly children: ComponentChildren;
}) => {
  const box = useRef<HTMLDetailsElement>(null);
  useEffect(() => {
    const close = (event: Event): void => {
      const { current } = box;
      if (current === null || !current.open) return;
      const isAway = event.target instanceof Node && !current.contains(event.target);
      const isEscape = event instanceof KeyboardEvent && event.key === "Escape";
      if (!(event instanceof KeyboardEvent ? isEscape : isAway)) return;
      if (isEscape) {
        event.stopPropagation();
        current.querySelector("summary")?.focus();
      }
      current.open = false;
    };
    document.addEventListener("pointerdown", close);
    document.addEventListener("keydown", close, true);
    return () => {
      document.removeEventListener("pointerdown", close);
      document.removeEventListener("keydown", close, true);
    };
  }, []);
  return (
    <details class="menu" ref={box}>
      <summary class="button small">{label}</summary>
      <div class="menu-panel">{children}</div>
    </details>
  );
};
