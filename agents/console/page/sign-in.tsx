import { useState } from "preact/hooks";
import type { Failure } from "./agent/api.ts";
import { plain } from "./form.ts";
import { Field } from "./parts/field.tsx";
import { Mark } from "./parts/mark.tsx";
import { agent, signInWithKey } from "./agent/session.ts";

export const SignIn = ({ first }: { readonly first: Failure | null }) => {
  const [key, setKey] = useState("");
  const [failure, setFailure] = useState<Failure | null>(first);
  const [isSending, setSending] = useState(false);
  const send = async (event: Event): Promise<void> => {
    event.preventDefault();
    if (key.trim() === "") return;
    setSending(true);
    // Emptied before it is sent, so that it stays in no field.
    setKey("");
    setFailure(await signInWithKey(key.trim()));
    setSending(false);
  };
  return (
    <main class="sign-in">
      <form class="card" onSubmit={(event) => void send(event)}>
        <Mark />
        <h1>Sign in</h1>
        <p class="muted">
          With an operator's key. Make one on the host: <code>parley key create --agent {agent}</code>, or open a link
          made by <code>parley console --agent {agent}</code>.
        </p>
        <Field
          label="Operator's key"
          type="password"
          value={key}
          onInput={setKey}
          autoComplete="off"
          maxLength={512}
          error={failure === null ? null : plain(failure.message, 200)}
        />
        <button type="submit" class="button primary" disabled={isSending}>
          Sign in
        </button>
      </form>
    </main>
  );
};
