import { useState } from "preact/hooks";
import { type Failure, isReached } from "../agent/api.ts";
import { agent, endSession, type OpenSession, openSessions } from "../agent/session.ts";
import { useRead } from "../agent/read.ts";
import { screenOf } from "../address.ts";
import { announce } from "../announce.ts";
import { setSound, sound } from "../attention.ts";
import { nowMs } from "../clock.ts";
import { ago, moment, plain } from "../form.ts";
import { Card, Chip } from "../parts/bits.tsx";
import { Select } from "../parts/field.tsx";
import { Shown } from "../parts/states.tsx";
import { Table } from "../parts/table.tsx";
import { setTheme, theme, themes } from "../theme.ts";

const Sessions = () => {
  const read = useRead(openSessions, {}, [], false);
  const [failure, setFailure] = useState<Failure | null>(null);
  const end = async ({ session_id: id }: OpenSession): Promise<void> => {
    const refused = await endSession(id);
    setFailure(refused);
    if (refused === null) announce("The session has ended.");
    read.again();
  };
  return (
    <Card title="Signed in with your key" note="each ends after two idle hours, or twelve in all">
      {failure === null ? null : (
        <p class="error" role="alert">
          {plain(failure.message, 300)}
        </p>
      )}
      <Shown read={read}>
        {({ sessions }) => (
          <Table<OpenSession>
            caption="Sessions"
            rows={sessions}
            idOf={(one) => one.session_id}
            columns={[
              { name: "From", isLead: true, cell: (one) => plain(one.address) },
              { name: "Since", cell: (one) => ago(one.created_at, nowMs.value) },
              { name: "Last seen", cell: (one) => ago(one.last_seen_at, nowMs.value) },
              { name: "Ends", cell: (one) => moment(one.expires_at) },
              {
                name: "End",
                isAct: true,
                cell: (one) =>
                  one.is_this ? (
                    <Chip tone="accent">this one</Chip>
                  ) : (
                    <button
                      type="button"
                      class="button small"
                      aria-label={`End the session from ${plain(one.address)}, since ${moment(one.created_at)}`}
                      disabled={!isReached.value}
                      onClick={() => void end(one)}
                    >
                      End
                    </button>
                  ),
              },
            ]}
          />
        )}
      </Shown>
    </Card>
  );
};

/** What concerns this browser and nobody else. */
export const ThisBrowser = () => (
  <>
    <Card title="Look" note="kept by this browser">
      <div class="search">
        <Select label="Theme" value={theme.value} values={themes} onChange={setTheme} />
      </div>
    </Card>
    <Card title="Notifications" note="kept by this browser">
      <p class="muted">The title and the icon of the window count what waits for a person.</p>
      <label class="check">
        <input type="checkbox" checked={sound.value} onChange={(event) => setSound(event.currentTarget.checked)} />
        A short sound when something new waits
      </label>
      {agent === "seller" ? (
        <p class="muted small">
          To be told elsewhere, make a <a href={screenOf("webhooks")}>webhook</a> of approval.requested and
          handover.requested.
        </p>
      ) : null}
    </Card>
    <Sessions />
  </>
);
