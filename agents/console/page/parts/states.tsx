import type { ComponentChildren } from "preact";
import type { Failure } from "../agent/api.ts";
import { ago, plain } from "../form.ts";
import { nowMs } from "../clock.ts";
import type { Read } from "../agent/read.ts";

export const Skeleton = ({ lines = 4 }: { readonly lines?: number }) => (
  <div class="skeleton" role="status" aria-label="Loading">
    {Array.from({ length: lines }, (_, at) => (
      <span key={at} />
    ))}
  </div>
);

/** What would be here, and the command that makes it. */
export const Empty = ({ title, children }: { readonly title: string; readonly children?: ComponentChildren }) => (
  <div class="empty">
    <p class="strong">{title}</p>
    {children === undefined ? null : <p class="muted">{children}</p>}
  </div>
);

export const Problem = ({ failure, again }: { readonly failure: Failure; readonly again?: () => void }) => (
  <div class="problem" role="alert">
    <p>
      {plain(failure.message, 400)}
      {failure.kind === "refused" ? (
        <>
          {" "}
          <a href={`/guide/refusals/${encodeURIComponent(failure.code)}`} target="_blank" rel="noopener">
            What this means
          </a>
        </>
      ) : null}
    </p>
    {failure.requestId === null ? null : (
      <p class="small">
        Request <code>{plain(failure.requestId)}</code>
      </p>
    )}
    {again === undefined ? null : (
      <button type="button" class="button" onClick={again}>
        Try again
      </button>
    )}
  </div>
);

/** Draws an answer in each of its states: loading, failed, old, and there. */
export const Shown = <O,>({
  read,
  lines,
  children,
}: {
  readonly read: Read<O>;
  readonly lines?: number;
  readonly children: (output: O) => ComponentChildren;
}) => {
  if (read.output !== null) {
    return (
      <>
        {read.failure === null ? null : (
          <p class="notice warn" role="status">
            As of {ago(new Date(read.readAtMs).toISOString(), nowMs.value)}: {plain(read.failure.message, 400)}
          </p>
        )}
        {children(read.output)}
      </>
    );
  }
  if (read.failure !== null) return <Problem failure={read.failure} again={read.again} />;
  return <Skeleton {...(lines === undefined ? {} : { lines })} />;
};
