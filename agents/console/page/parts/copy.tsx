import { useState } from "preact/hooks";
import { announce } from "../announce.ts";
import { plain } from "../form.ts";

/** Text to take elsewhere, shown as it is. */
export const Copyable = ({ name, text }: { readonly name: string; readonly text: string }) => {
  const [isCopied, setCopied] = useState(false);
  const copy = (): void => {
    void navigator.clipboard.writeText(text).then(
      () => setCopied(true),
      () => setCopied(false),
    );
  };
  return (
    <div class="copyable">
      <p class="row">
        <span class="muted small">{name}</span>
        <button type="button" class="link" onClick={copy}>
          {isCopied ? "Copied" : "Copy"}
        </button>
      </p>
      <pre tabIndex={0}>{text}</pre>
    </div>
  );
};

/** An id in a table: its beginning, and a press copies it whole. */
export const CopyId = ({ id }: { readonly id: string }) => {
  const [isCopied, setCopied] = useState(false);
  const copy = (): void => {
    void navigator.clipboard?.writeText(id).then(() => {
      setCopied(true);
      announce(`Copied ${plain(id)}.`);
    });
  };
  return (
    <button type="button" class="copy-id" title={`Copy ${plain(id)}`} onClick={copy}>
      <span class="clip">{plain(id)}</span>
      <svg class={isCopied ? "copied" : ""} viewBox="0 0 12 12" width="12" height="12" aria-hidden="true">
        {isCopied ? <path d="M2 6.5 5 9.5 10.5 3" /> : <path d="M4 3V1.5h6.5V8H9M1.5 4H8v6.5H1.5z" />}
      </svg>
    </button>
  );
};
