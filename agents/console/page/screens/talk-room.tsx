import type { Signal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { type Failure, isReached } from "../agent/api.ts";
import { canWrite } from "../agent/session.ts";
import type { Option, SaidBack, Say, Words } from "../agent/talk.ts";
import { plain, plainLines } from "../form.ts";
import { Card, Key } from "../parts/bits.tsx";
import { Field } from "../parts/field.tsx";
import { ReplyText } from "../parts/reply-text.tsx";
import { Empty, Problem } from "../parts/states.tsx";

export interface Exchange {
  readonly said: string;
  readonly back: SaidBack;
}

interface Sent {
  readonly said: string;
  readonly words: Words;
  readonly id: string;
}

const mostShown = 50;

const useTalk = (talked: Signal<readonly Exchange[]>, say: Say) => {
  const [sending, setSending] = useState<Sent | null>(null);
  const [failed, setFailed] = useState<{ readonly sent: Sent; readonly failure: Failure } | null>(null);
  const send = async (sent: Sent): Promise<void> => {
    setSending(sent);
    setFailed(null);
    const reply = await say(sent.words, sent.id, talked.value.at(-1)?.back.contextId ?? null);
    if (reply.ok) talked.value = [...talked.value, { said: sent.said, back: reply.output }].slice(-mostShown);
    else setFailed({ sent, failure: reply });
    setSending(null);
  };
  return { sending, failed, send };
};

const numbered = (text: string, { n, label }: Option): boolean => text.split("\n").includes(`${n}. ${label}`);

/** The text names other things under that number, which a typed number then means. */
const isOtherNumber = (text: string, { n, label }: Option): boolean =>
  text.split("\n").some((line) => line.trim().startsWith(`${n}. `) && !line.includes(label));

/** Without the lines that are buttons below. */
const textOf = ({ text, options }: SaidBack): string =>
  text
    .split("\n")
    .filter((line) => !options.some((option) => numbered(line, option)))
    .join("\n");

const optionTyped = (text: string, back: SaidBack | undefined): Option | null => {
  const fitting = (back?.options ?? []).filter((option) => String(option.n) === text.trim());
  const [option] = fitting;
  if (option === undefined || fitting.length > 1 || isOtherNumber(back?.text ?? "", option)) return null;
  return option;
};

const pickOf = ({ label, option, digest }: Option): Sent => ({
  said: label,
  words: { data: { option, digest } },
  id: crypto.randomUUID(),
});

const wordsOf = (text: string, back: SaidBack | undefined): Sent => {
  const option = optionTyped(text, back);
  return option === null ? { said: text, words: { text }, id: crypto.randomUUID() } : pickOf(option);
};

interface OptionsProps {
  readonly back: SaidBack;
  readonly isOff: boolean;
  readonly take: (option: Option) => void;
}

const Options = ({ back, isOff, take }: OptionsProps) => (
  <p class="row spaced">
    {back.options.map((option) => (
      <button
        key={option.option}
        type="button"
        class="button"
        disabled={isOff}
        title={plain(option.terms, 2000)}
        onClick={() => take(option)}
      >
        {isOtherNumber(back.text, option) ? null : <Key name={String(option.n)} />} {plain(option.label, 200)}
      </button>
    ))}
  </p>
);

const Turn = ({
  said,
  back,
  them,
  children,
}: Exchange & { readonly them: string; readonly children: ComponentChildren }) => (
  <>
    <li class="ours">
      <p class="muted small">You</p>
      <p class="said">{plainLines(said, 4000)}</p>
    </li>
    <li class="theirs">
      <p class="muted small">{them}</p>
      <ReplyText text={textOf(back)} />
      {children}
    </li>
  </>
);

interface SayProps {
  readonly isOff: boolean;
  readonly isSending: boolean;
  readonly onSay: (text: string) => void;
}

const SayForm = ({ isOff, isSending, onSay }: SayProps) => {
  const [text, setText] = useState("");
  const isReady = !isOff && text.trim() !== "";
  const submit = (event: Event): void => {
    event.preventDefault();
    if (!isReady) return;
    onSay(text);
    setText("");
  };
  return (
    <form class="spaced" onSubmit={submit}>
      <Field label="Message, or the number of a button" value={text} onInput={setText} maxLength={10_000} />
      <p class="row spaced">
        <button type="submit" class="button primary" disabled={!isReady}>
          {isSending ? "Sending" : "Send"}
        </button>
        {canWrite() ? null : <span class="muted small">A viewer's key looks only.</span>}
      </p>
    </form>
  );
};

interface TranscriptProps {
  readonly exchanges: readonly Exchange[];
  readonly them: string;
  readonly isOff: boolean;
  readonly send: (sent: Sent) => Promise<void>;
}

/** The options of the last reply alone: those before it may be over. */
const Transcript = ({ exchanges, them, isOff, send }: TranscriptProps) => (
  <ol class="transcript" aria-live="polite">
    {exchanges.map(({ said, back }, at) => (
      <Turn key={at} said={said} back={back} them={them}>
        {at === exchanges.length - 1 && back.options.length > 0 ? (
          <Options back={back} isOff={isOff} take={(option) => void send(pickOf(option))} />
        ) : null}
      </Turn>
    ))}
  </ol>
);

interface RoomProps {
  /** Of this page, until it is loaded anew: another screen does not end the talk. */
  readonly talked: Signal<readonly Exchange[]>;
  readonly say: Say;
  /** Who answers. */
  readonly them: string;
  readonly example: string;
}

/** A talk with this agent: what it would do is a button with its terms. */
export const TalkRoom = ({ talked, say, them, example }: RoomProps) => {
  const { sending, failed, send } = useTalk(talked, say);
  const end = useRef<HTMLDivElement>(null);
  const exchanges = talked.value;
  const isOff = sending !== null || !isReached.value || !canWrite();
  useEffect(() => end.current?.scrollIntoView({ block: "nearest" }), [exchanges.length]);
  return (
    <Card title="What was said">
      {exchanges.length === 0 ? (
        <Empty title="Nothing yet.">For example: {example}</Empty>
      ) : (
        <Transcript exchanges={exchanges} them={them} isOff={isOff} send={send} />
      )}
      {failed === null ? null : (
        <>
          <p class="said muted">Not sent: {plainLines(failed.sent.said, 4000)}</p>
          <Problem failure={failed.failure} again={() => void send(failed.sent)} />
        </>
      )}
      <SayForm
        isOff={isOff}
        isSending={sending !== null}
        onSay={(text) => void send(wordsOf(text, exchanges.at(-1)?.back))}
      />
      <div ref={end} />
    </Card>
  );
};
