import { liveState } from "./agent/live.ts";
import { session, signOut } from "./agent/session.ts";
import { plain } from "./form.ts";
import { Mark } from "./parts/mark.tsx";
import { Modal } from "./parts/modal.tsx";
import type { Screen } from "./screens/screen.ts";
import { screens } from "./screens/screens.ts";

export const base = "/console";

type Show = (panel: "keys" | "call" | "more" | "find") => void;

export const addressOf = ({ path }: Screen): string => `${base}/${path}`;

export const isAt = (path: string, screen: Screen): boolean =>
  path === addressOf(screen) || (screen.path !== "" && path.startsWith(`${addressOf(screen)}/`));

interface RowProps {
  readonly screen: Screen;
  readonly isHere: boolean;
  readonly onClick?: () => void;
}

const Badge = ({ count }: { readonly count: number }) => (count === 0 ? null : <span class="badge">{count}</span>);

const NavigationRow = ({ screen, isHere, onClick }: RowProps) => {
  const badge = screen.useBadge?.() ?? 0;
  return (
    <li>
      <a href={addressOf(screen)} aria-current={isHere ? "page" : undefined} onClick={onClick}>
        <span>{screen.label}</span>
        <Badge count={badge} />
      </a>
    </li>
  );
};

const stateWords = { connecting: "Connecting", live: "Live", lost: "Connection lost, trying again" } as const;

const Foot = ({ show }: { readonly show: Show }) => {
  const { organization_name: organization, sandbox, label, role } = session.value ?? {};
  return (
    <div class="foot">
      <p class={`state ${liveState.value}`}>{stateWords[liveState.value]}</p>
      <p class="muted small">
        {plain(organization)}
        {sandbox === true ? ", sandbox" : ""}
      </p>
      <p class="muted small">
        {plain(label ?? "no name")}
        {role === "viewer" ? ", look only" : ""}. Days are in UTC.
      </p>
      <p class="row">
        <a class="link" href="/guide/" target="_blank" rel="noopener">
          Guide
        </a>
        <button type="button" class="link" onClick={() => show("find")}>
          Find
        </button>
        <button type="button" class="link" onClick={() => show("call")}>
          As a call
        </button>
        <button type="button" class="link" onClick={() => show("keys")}>
          Keys
        </button>
        <button type="button" class="link" onClick={() => void signOut(false)}>
          Sign out
        </button>
        <button type="button" class="link" onClick={() => void signOut(true)}>
          Sign out everywhere
        </button>
      </p>
    </div>
  );
};

/** So many have room in the bar of a narrow window. */
const inBar = 4;

/** What waits behind the button: the same screens each time, so that their hooks run in one order. */
const MoreBadge = () => (
  <Badge count={screens.slice(inBar).reduce((sum, { useBadge }) => sum + (useBadge?.() ?? 0), 0)} />
);

export const Navigation = ({ path, show }: { readonly path: string; readonly show: Show }) => {
  const isLater = screens.slice(inBar).some((screen) => isAt(path, screen));
  return (
    <header class="side">
      <Mark />
      <nav aria-label="Screens">
        <ul>
          {screens.map((screen) => (
            <NavigationRow key={screen.path} screen={screen} isHere={isAt(path, screen)} />
          ))}
        </ul>
        <button
          type="button"
          class={isLater ? "more here" : "more"}
          aria-haspopup="dialog"
          onClick={() => show("more")}
        >
          More <MoreBadge />
        </button>
      </nav>
      <Foot show={show} />
    </header>
  );
};

/** Every screen, where the bar has no room for them. */
export const More = ({
  path,
  show,
  close,
}: {
  readonly path: string;
  readonly show: Show;
  readonly close: () => void;
}) => (
  <Modal title="Screens" close={close}>
    <ul class="all-screens">
      {screens.map((screen) => (
        <NavigationRow key={screen.path} screen={screen} isHere={isAt(path, screen)} onClick={close} />
      ))}
    </ul>
    <Foot show={show} />
  </Modal>
);
