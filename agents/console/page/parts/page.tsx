import type { ComponentChildren } from "preact";
import { useAddress } from "../address.ts";
import { Choices } from "./field.tsx";

/** A screen that is one page; `back` is where its list is. */
export const Page = ({
  title,
  note,
  back,
  chips,
  children,
}: {
  readonly title: string;
  readonly note?: ComponentChildren;
  readonly back?: { readonly href: string; readonly label: string };
  readonly chips?: ComponentChildren;
  readonly children: ComponentChildren;
}) => (
  <div class="page">
    <header class="page-head">
      {back === undefined ? null : <a href={back.href}>{back.label}</a>}
      {chips === undefined ? null : <p class="chips">{chips}</p>}
      <h1 tabIndex={-1}>{title}</h1>
      {note === undefined ? null : <p class="muted">{note}</p>}
    </header>
    {children}
  </div>
);

/** Pages of a list, by the cursor in the address. */
export const Pager = ({ next }: { readonly next: string | null }) => {
  const { query, linkTo } = useAddress();
  const isLater = query["cursor"] !== undefined;
  if (next === null && !isLater) return null;
  return (
    <nav class="row" aria-label="Pages">
      {isLater ? (
        <a class="button small" href={linkTo({})}>
          First page
        </a>
      ) : null}
      {next === null ? null : (
        <a class="button small" href={linkTo({ cursor: next })}>
          Next page
        </a>
      )}
    </nav>
  );
};

/** A filter by one word of the wire, kept in the address under `name`. */
export const Filter = ({
  name,
  label,
  values,
  wordOf,
  all = "All",
}: {
  readonly name: string;
  readonly label: string;
  readonly values: readonly string[];
  readonly wordOf: (value: string) => string;
  /** What no filter is called. */
  readonly all?: string;
}) => {
  const { query, linkTo } = useAddress();
  return (
    <Choices
      label={label}
      choices={[{ value: "", label: all }, ...values.map((value) => ({ value, label: wordOf(value) }))]}
      chosen={query[name] ?? ""}
      linkTo={(value) => linkTo({ [name]: value === "" ? null : value })}
    />
  );
};
