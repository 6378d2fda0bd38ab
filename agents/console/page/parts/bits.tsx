import type { ComponentChildren } from "preact";
import { plain } from "../form.ts";

export type Tone = "quiet" | "accent" | "ok" | "warn" | "bad";

export const Chip = ({ tone = "quiet", children }: { readonly tone?: Tone; readonly children: ComponentChildren }) => (
  <span class={`chip ${tone}`}>{children}</span>
);

export const Key = ({ name }: { readonly name: string }) => <kbd aria-hidden="true">{name}</kbd>;

export const Card = ({
  title,
  note,
  children,
}: {
  readonly title?: string;
  readonly note?: ComponentChildren;
  readonly children: ComponentChildren;
}) => (
  <section class="card">
    {title === undefined ? null : (
      <header>
        <h2>{title}</h2>
        {note === undefined ? null : <span class="muted small">{note}</span>}
      </header>
    )}
    {children}
  </section>
);

export interface Fact {
  readonly name: string;
  readonly value: ComponentChildren;
  readonly isCode?: boolean;
}

/** Rows that have nothing to say are left out by the caller. */
export const Facts = ({ rows }: { readonly rows: readonly (Fact | null)[] }) => (
  <dl class="facts">
    {rows
      .filter((row) => row !== null)
      .map(({ name, value, isCode }) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd class={isCode === true ? "code" : ""}>{typeof value === "string" ? plain(value, 400) : value}</dd>
        </div>
      ))}
  </dl>
);

/** A figure with its label above and its meaning below. */
export const Figure = ({
  name,
  value,
  note,
}: {
  readonly name: string;
  readonly value: string;
  readonly note?: string | undefined;
}) => (
  <div class="figure">
    <dt>{name}</dt>
    <dd>
      <strong>{value}</strong>
      {note === undefined ? null : <span class="muted small">{note}</span>}
    </dd>
  </div>
);

export const Figures = ({ children }: { readonly children: ComponentChildren }) => <dl class="figures">{children}</dl>;

/** Text of the other side, set apart so that nobody takes it for ours. */
export const TheyWrote = ({ text }: { readonly text: string }) => (
  <figure class="they-wrote">
    <figcaption class="muted small">They wrote</figcaption>
    <blockquote>{plain(text, 1000)}</blockquote>
  </figure>
);
