import { useState } from "preact/hooks";
import type { ComponentChildren } from "preact";
import { count, money } from "../form.ts";

interface Figure {
  readonly name: string;
  readonly old: number | null | undefined;
  readonly fresh: number | null | undefined;
}

const mostTimes = 10;

const isUnusual = ({ old, fresh }: Figure): boolean =>
  old != null && fresh != null && old > 0 && fresh > 0 && (fresh > old * mostTimes || fresh * mostTimes < old);

const factorOf = ({ old, fresh }: Figure): string => {
  const [one, other] = [old ?? 1, fresh ?? 1];
  return other > one ? `${count(Math.floor(other / one))} times` : `a ${count(Math.floor(one / other))}th of`;
};

/** A price more than ten times the old, or less than a tenth of it, is asked about once more. */
export const useUnusual = (
  figures: readonly Figure[],
  currency: string | null | undefined,
): { readonly isOpen: boolean; readonly question: ComponentChildren } => {
  const [agreed, setAgreed] = useState("");
  const strange = figures.filter(isUnusual);
  const key = JSON.stringify(strange);
  if (strange.length === 0) return { isOpen: false, question: null };
  const words = strange.map((one) => `${money(one.fresh, currency)} as ${one.name}, ${factorOf(one)} the old`);
  const question = (
    <label class="check notice warn">
      <input
        type="checkbox"
        checked={agreed === key}
        onChange={(event) => setAgreed(event.currentTarget.checked ? key : "")}
      />
      I mean {words.join(", and ")}
    </label>
  );
  return { isOpen: agreed !== key, question };
};
