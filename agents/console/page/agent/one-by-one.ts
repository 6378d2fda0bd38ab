import { useRef, useState } from "preact/hooks";
import { plain } from "../form.ts";
import type { Reply } from "./api.ts";

interface Wanted {
  readonly ids: readonly string[];
  /** What became of each that succeeded. */
  readonly doneWord: string;
  /** `nonce` is the same for all sendings of one sheet, so that each is done once. */
  readonly send: (id: string, nonce: string) => Promise<Reply<unknown>>;
  readonly after?: (done: readonly string[]) => void;
}

/** Each on its own, and again only what was refused. */
export const useOneByOne = ({ ids, doneWord, send, after }: Wanted) => {
  const [outcomes, setOutcomes] = useState<Readonly<Record<string, string>>>({});
  const [isSending, setSending] = useState(false);
  const nonce = useRef(crypto.randomUUID());
  const run = async (): Promise<void> => {
    setSending(true);
    const done: string[] = [];
    for (const id of ids) {
      if (outcomes[id] === doneWord) continue;
      const reply = await send(id, nonce.current);
      setOutcomes((before) => ({ ...before, [id]: reply.ok ? doneWord : plain(reply.message, 200) }));
      if (reply.ok) done.push(id);
    }
    setSending(false);
    after?.(done);
  };
  return { outcomes, isSending, isOver: ids.every((id) => outcomes[id] === doneWord), run };
};
