import type { Tone } from "../parts/bits.tsx";

interface StandingProps {
  readonly text: string;
  readonly tone: Tone;
  /** A ring waits, a cross ended badly; never colour alone. */
  readonly mark?: "dot" | "ring" | "cross";
}

/** A state as a word with its mark. */
export const StandingMark = ({ text, tone, mark = "dot" }: StandingProps) => (
  <span class={`standing ${tone} ${mark}`}>{text}</span>
);
