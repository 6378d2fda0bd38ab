import { useLocation } from "preact-iso";
import { useState } from "preact/hooks";
import { isReached, type OutputOf } from "../../../agent/api.ts";
import { screenOf } from "../../../address.ts";
import { amountIn, unreadable } from "../../../amount.ts";
import * as buyer from "../../../agent/buyer.generated.ts";
import { nowMs } from "../../../clock.ts";
import { plain, roundMoney } from "../../../form.ts";
import { Card } from "../../../parts/bits.tsx";
import { Field, TextArea } from "../../../parts/field.tsx";
import { Meter } from "../../../parts/meter.tsx";
import { Page } from "../../../parts/page.tsx";
import { canWrite } from "../../../agent/session.ts";
import { useTryAndSend } from "../../../agent/try-and-send.ts";
import { channelName, channels, currency } from "./job.ts";
import { areReadable, LimitFields, limitsOf, type TypedLimits } from "./limits.tsx";

type Answer = OutputOf<typeof buyer.createBooking>;
type Input = NonNullable<(typeof buyer.createBooking)["types"]>["input"];

interface Form {
  readonly name: string;
  readonly budget: string;
  readonly start: string;
  readonly end: string;
  readonly objectives: string;
  readonly channels: readonly string[];
  readonly limits: TypedLimits;
  readonly audience: string;
  readonly maxCpm: string;
}

const emptyForm: Form = {
  name: "",
  budget: "",
  start: "",
  end: "",
  objectives: "brand awareness",
  channels: [],
  limits: {},
  audience: "",
  maxCpm: "",
};

const words = (text: string): string[] =>
  text
    .split(",")
    .map((word) => word.trim())
    .filter((word) => word !== "");

const draftName = "parley-brief-draft";

interface Draft {
  readonly form: Form;
  /** Pasted JSON; null: the fields. */
  readonly text: string | null;
}

const emptyDraft: Draft = { form: emptyForm, text: null };

/** Kept by this tab until it is sent: a reload would lose it. */
const keptDraft = (): Draft => {
  try {
    const kept = JSON.parse(sessionStorage.getItem(draftName) ?? "null") as Partial<Draft> | null;
    return kept === null ? emptyDraft : { form: { ...emptyForm, ...kept.form }, text: kept.text ?? null };
  } catch {
    return emptyDraft;
  }
};

const useDraft = () => {
  const [draft, setDraft] = useState(keptDraft);
  const keep = (next: Draft): void => {
    setDraft(next);
    sessionStorage.setItem(draftName, JSON.stringify(next));
  };
  return { ...draft, keep, drop: () => sessionStorage.removeItem(draftName) };
};

/** What no seller could sell, said before any is asked. */
const dateProblem = (brief: Input["brief"] | null): string | null => {
  const { start_date: start, end_date: end } = (brief ?? {}) as Readonly<Record<string, unknown>>;
  if (typeof end !== "string") return null;
  if (typeof start === "string" && end < start) return "The last day lies before the first.";
  const today = new Date(nowMs.value).toISOString().slice(0, 10);
  return end < today ? "The whole campaign lies in the past. Choose a later last day." : null;
};

const isReadable = ({ budget, maxCpm, channels: chosen, limits }: Form): boolean =>
  unreadable(budget) === null && unreadable(maxCpm) === null && areReadable(chosen, limits);

/** Without what is not written, so that the agent names what is missing. */
const briefOf = (form: Form): Input["brief"] => {
  const budget = amountIn(form.budget);
  const maxCpm = amountIn(form.maxCpm);
  const interests = words(form.audience);
  return {
    name: form.name.trim(),
    objectives: words(form.objectives).map((word) => word.replaceAll(" ", "_")),
    ...(budget === null ? {} : { budget }),
    ...(form.start === "" ? {} : { start_date: form.start }),
    ...(form.end === "" ? {} : { end_date: form.end }),
    target_audience: interests.length === 0 ? { any: true } : { interests },
    ...(form.channels.length === 0 ? {} : { channels: [...form.channels] }),
    ...limitsOf(form.channels, form.limits),
    ...(maxCpm === null ? {} : { kpis: { max_cpm: maxCpm } }),
  };
};

const pasted = (text: string): Input["brief"] | null => {
  try {
    const parsed: unknown = JSON.parse(text);
    if (typeof parsed !== "object" || parsed === null || Array.isArray(parsed)) return null;
    const { brief } = parsed as { readonly brief?: unknown };
    return (typeof brief === "object" && brief !== null ? brief : parsed) as Input["brief"];
  } catch {
    return null;
  }
};

const Split = ({ answer, refusal }: { readonly answer: Answer | null; readonly refusal: string | null }) => {
  const parts = Object.values(answer?.budget_allocations ?? {});
  const whole = parts.reduce((sum, { budget }) => sum + budget, 0);
  const warnings = answer?.warnings ?? [];
  return (
    <Card title="How it would be split" note="nothing is started yet">
      {refusal === null ? null : (
        <p class="muted" role="status">
          {plain(refusal, 600)}
        </p>
      )}
      {answer === null && refusal === null ? <p class="muted">Write the brief; the split is shown here.</p> : null}
      <ul class="meters">
        {parts.map(({ channel, budget, rationale }) => (
          <li key={channel}>
            <span>{channelName(plain(channel))}</span>
            <span class="muted end">{roundMoney(budget, currency)}</span>
            <Meter part={budget} whole={whole} name={`Share of ${plain(channel)}`} />
            <span class="muted small wide">{plain(rationale, 300).replaceAll("_", " ")}</span>
          </li>
        ))}
      </ul>
      {warnings.map(({ field, message }) => (
        <p key={field + message} class="notice warn">
          {plain(message, 600)}
        </p>
      ))}
    </Card>
  );
};

interface FieldsProps {
  readonly form: Form;
  readonly set: (patch: Partial<Form>) => void;
  readonly dateError: string | null;
}

const Fields = ({ form, set, dateError }: FieldsProps) => (
  <>
    <Field label="Name" value={form.name} onInput={(name) => set({ name })} maxLength={100} autoFocus />
    <Field
      label="Budget in USD, never passed"
      value={form.budget}
      onInput={(budget) => set({ budget })}
      error={unreadable(form.budget)}
      maxLength={20}
    />
    <div class="pair">
      <Field label="First day" type="date" value={form.start} onInput={(start) => set({ start })} />
      <Field label="Last day" type="date" value={form.end} onInput={(end) => set({ end })} error={dateError} />
    </div>
    <Field
      label="Objectives"
      hint="With commas between, for example brand awareness, reach, conversions"
      value={form.objectives}
      onInput={(objectives) => set({ objectives })}
      maxLength={500}
    />
    <fieldset>
      <legend>Only these channels; none chosen lets the objectives decide</legend>
      {channels.map((channel) => (
        <label key={channel} class="check">
          <input
            type="checkbox"
            checked={form.channels.includes(channel)}
            onChange={() =>
              set({
                channels: form.channels.includes(channel)
                  ? form.channels.filter((other) => other !== channel)
                  : [...form.channels, channel],
              })
            }
          />
          {channelName(channel)}
        </label>
      ))}
    </fieldset>
    <LimitFields channels={form.channels} limits={form.limits} set={(limits) => set({ limits })} />
    <Field
      label="Interests of the audience"
      hint="With commas between; empty is everybody"
      value={form.audience}
      onInput={(audience) => set({ audience })}
      maxLength={1000}
    />
    <Field
      label="Highest price per thousand in USD"
      hint="Empty: no limit but the budget"
      value={form.maxCpm}
      onInput={(maxCpm) => set({ maxCpm })}
      error={unreadable(form.maxCpm)}
      maxLength={20}
    />
  </>
);

const Pasted = ({ text, setText }: { readonly text: string; readonly setText: (text: string) => void }) => (
  <TextArea
    label="The brief as JSON"
    value={text}
    onInput={setText}
    rows={14}
    error={text !== "" && pasted(text) === null ? "This is not a JSON object." : null}
  />
);

interface WrittenProps extends Draft {
  readonly keep: (draft: Draft) => void;
  readonly dateError: string | null;
}

/** In fields, or as JSON. */
const Written = ({ form, text, keep, dateError }: WrittenProps) => (
  <>
    <p>
      <button
        type="button"
        class="link"
        onClick={() => keep({ form, text: text === null ? JSON.stringify(briefOf(form), null, 2) : null })}
      >
        {text === null ? "Paste JSON instead" : "Fill in fields instead"}
      </button>
    </p>
    {text === null ? (
      <Fields form={form} set={(patch) => keep({ form: { ...form, ...patch }, text })} dateError={dateError} />
    ) : (
      <Pasted text={text} setText={(next) => keep({ form, text: next })} />
    )}
    {text === null || dateError === null ? null : (
      <p class="error small" role="alert">
        {dateError}
      </p>
    )}
  </>
);

interface Reasons {
  readonly isUnfinished: boolean;
  readonly isReadable: boolean;
  readonly dateError: string | null;
}

/** Why the brief cannot be sent yet, beside the button that would send it. */
const whyNot = ({ isUnfinished, isReadable: canRead, dateError }: Reasons): string | null => {
  if (!canWrite()) return "Look only: a brief needs an operator's key.";
  if (isUnfinished) return "Name, budget and days are needed.";
  if (!canRead) return "Something above cannot be read.";
  return dateError === null ? null : "Choose other days first.";
};

/** A brief beside what it would become; sending it books nothing, the lines wait for approval. */
export const NewBrief = () => {
  const { route } = useLocation();
  const { form, text, keep, drop } = useDraft();
  const written = isReadable(form) ? briefOf(form) : null;
  const brief = text === null ? written : pasted(text);
  const isUnfinished = text === null && [form.name, form.budget, form.start, form.end].some((one) => one.trim() === "");
  const dateError = dateProblem(brief);
  const { phase, output, failure, send } = useTryAndSend({
    op: buyer.createBooking,
    input: isUnfinished || brief === null || dateError !== null ? null : { brief },
    after: (job) => {
      drop();
      route(screenOf("campaigns", job.job_id));
    },
  });
  const canSend = (phase === "ready" || phase === "unsure") && isReached.value && canWrite();
  const reason = whyNot({ isUnfinished, isReadable: brief !== null, dateError });
  return (
    <Page
      title="New brief"
      back={{ href: screenOf("campaigns"), label: "All campaigns" }}
      note="Sellers are asked and prices negotiated; nothing is booked before you approve it."
    >
      <div class="pair">
        <form
          class="stack card"
          onSubmit={(event) => {
            event.preventDefault();
            if (canSend) void send();
          }}
        >
          <Written form={form} text={text} keep={keep} dateError={dateError} />
          {phase === "unsure" ? (
            <p class="error" role="alert">
              No answer came. Sending again starts it once, not twice.
            </p>
          ) : null}
          <p>
            <button type="submit" class="button primary" disabled={!canSend}>
              Ask the sellers
            </button>{" "}
            {reason === null ? null : <span class="muted small">{reason}</span>}
          </p>
        </form>
        <Split answer={output} refusal={phase === "unsure" ? null : (failure?.message ?? null)} />
      </div>
    </Page>
  );
};
