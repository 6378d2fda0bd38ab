import { useState } from "preact/hooks";

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
