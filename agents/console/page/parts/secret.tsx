import { plain } from "../form.ts";
import { Copyable } from "./copy.tsx";

/** What the agent shows once and keeps as a hash. */
export const Secret = (props: { readonly name: string; readonly text: string; readonly done: () => void }) => (
  <div class="notice ok" role="status">
    <Copyable name={`${props.name}, shown this once`} text={plain(props.text, 200)} />
    <button type="button" class="button small" onClick={props.done}>
      I have it
    </button>
  </div>
);
