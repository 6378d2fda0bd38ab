import { useId } from "preact/hooks";

interface FieldProps {
  readonly label: string;
  readonly value: string;
  readonly onInput: (value: string) => void;
  readonly type?: "text" | "password" | "search" | "number" | "date";
  readonly hint?: string;
  readonly error?: string | null;
  readonly placeholder?: string;
  readonly isLabelHidden?: boolean;
  readonly step?: string;
  readonly name?: string;
  readonly maxLength?: number;
  readonly autoFocus?: boolean;
  readonly autoComplete?: string;
}

export const Field = (props: FieldProps) => {
  const id = useId();
  const { label, value, onInput, hint, error, isLabelHidden, type = "text", ...rest } = props;
  const about = error != null ? `${id}-error` : hint === undefined ? undefined : `${id}-hint`;
  return (
    <div class="field">
      <label for={id} class={isLabelHidden === true ? "unseen" : ""}>
        {label}
      </label>
      <input
        id={id}
        // The attributes of an input are typed by its one type, and a union fits none.
        type={type as "text"}
        value={value}
        spellcheck={false}
        aria-invalid={error != null}
        aria-describedby={about}
        onInput={(event) => onInput(event.currentTarget.value)}
        {...rest}
      />
      {hint === undefined || error != null ? null : (
        <p id={`${id}-hint`} class="muted small">
          {hint}
        </p>
      )}
      {error == null ? null : (
        <p id={`${id}-error`} class="error small" role="alert">
          {error}
        </p>
      )}
    </div>
  );
};

/** A text of several lines. */
export const TextArea = ({
  label,
  value,
  onInput,
  rows = 5,
  error = null,
  ...rest
}: Pick<FieldProps, "label" | "value" | "onInput" | "error" | "maxLength" | "autoFocus"> & {
  readonly rows?: number;
}) => {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <textarea
        id={id}
        rows={rows}
        spellcheck={false}
        value={value}
        aria-invalid={error !== null}
        aria-describedby={error === null ? undefined : `${id}-error`}
        onInput={(event) => onInput(event.currentTarget.value)}
        {...rest}
      />
      {error === null ? null : (
        <p id={`${id}-error`} class="error small" role="alert">
          {error}
        </p>
      )}
    </div>
  );
};

export interface Choice {
  readonly value: string;
  readonly label: string;
}

/** One of a few, as a row of links: the choice lives in the address. */
export const Choices = ({
  label,
  choices,
  chosen,
  linkTo,
}: {
  readonly label: string;
  readonly choices: readonly Choice[];
  readonly chosen: string;
  readonly linkTo: (value: string) => string;
}) => (
  <nav class="choices" aria-label={label}>
    {choices.map(({ value, label: text }) => (
      <a key={value} href={linkTo(value)} aria-current={value === chosen ? "true" : undefined}>
        {text}
      </a>
    ))}
  </nav>
);

export const Select = <T extends string>({
  label,
  value,
  values,
  onChange,
}: {
  readonly label: string;
  readonly value: T;
  readonly values: readonly T[];
  readonly onChange: (value: T) => void;
}) => {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <select
        id={id}
        value={value}
        onChange={(event) => {
          const chosen = values.find((one) => one === event.currentTarget.value);
          if (chosen !== undefined) onChange(chosen);
        }}
      >
        {values.map((one) => (
          <option key={one} value={one}>
            {one}
          </option>
        ))}
      </select>
    </div>
  );
};
