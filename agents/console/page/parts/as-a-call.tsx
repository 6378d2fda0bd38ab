import { type Operation, present, wireOf } from "../agent/api.ts";
import { type ShownCall, shownCalls } from "../agent/read.ts";
import { agent } from "../agent/session.ts";
import { Modal } from "./modal.tsx";

const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

/** The key is a variable, so that no command holds one. */
const curlOf = (op: Operation, input: ShownCall["input"]): string => {
  const { url, body } = wireOf(op, input);
  const sent = body === null ? "" : ` -H 'content-type: application/json' -d ${quoted(body)}`;
  return `curl -s -X ${op.method} ${quoted(location.origin + url)} -H "X-API-Key: $PARLEY_KEY"${sent}`;
};

const mcpOf = ({ name }: Operation, input: ShownCall["input"]): string =>
  JSON.stringify({ method: "tools/call", params: { name, arguments: present(input) } });

const commandOf = ({ name }: Operation, input: ShownCall["input"]): string =>
  `parley call --agent ${agent} ${name} ${quoted(JSON.stringify(present(input)))}`;

export const CallTexts = ({ op, input }: ShownCall) => (
  <>
    {[curlOf(op, input), mcpOf(op, input), commandOf(op, input)].map((text) => (
      <pre key={text} tabIndex={0}>
        {text}
      </pre>
    ))}
  </>
);

export const AsACall = ({ close }: { readonly close: () => void }) => (
  <Modal title="As a call" close={close}>
    <p class="muted">What this screen has read, for the other doors. Set PARLEY_KEY to your key.</p>
    {shownCalls.value.map(({ op, input }) => (
      <section key={op.name + JSON.stringify(input)} class="call">
        <h3>{op.name}</h3>
        <CallTexts op={op} input={input} />
      </section>
    ))}
    {shownCalls.value.length === 0 ? <p>This screen reads nothing.</p> : null}
  </Modal>
);
