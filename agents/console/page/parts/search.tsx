import { useLocation } from "preact-iso";
import { useEffect, useRef, useState } from "preact/hooks";
import { useAddress } from "../address.ts";
import { useKeys } from "../keys.ts";
import { Field } from "./field.tsx";

const settleMs = 300;

/** Text to look for, kept in the address as `q`. */
export const Search = ({ label }: { readonly label: string }) => {
  const { query, linkTo } = useAddress();
  const { route } = useLocation();
  const [text, setText] = useState(query["q"] ?? "");
  const box = useRef<HTMLDivElement>(null);
  useKeys({ f: () => box.current?.querySelector("input")?.focus() });
  useEffect(() => {
    if (text === (query["q"] ?? "")) return undefined;
    const timer = setTimeout(() => route(linkTo({ q: text === "" ? null : text }), true), settleMs);
    return () => clearTimeout(timer);
  }, [text]);
  return (
    <div ref={box} class="search">
      <Field
        label={label}
        isLabelHidden
        type="search"
        placeholder={label}
        value={text}
        onInput={setText}
        maxLength={100}
      />
    </div>
  );
};
