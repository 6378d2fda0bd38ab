import { signal } from "@preact/signals";
import { LocationProvider, Route, Router, useLocation } from "preact-iso";
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { announced } from "./announce.ts";
import { useAttention } from "./attention.ts";
import { type Failure, isReached } from "./agent/api.ts";
import { type KeyMap, useKeys } from "./keys.ts";
import { startLive } from "./agent/live.ts";
import { addressOf, base, More, Navigation } from "./navigation.tsx";
import { AsACall } from "./parts/as-a-call.tsx";
import { Finder } from "./parts/finder.tsx";
import { KeyHelp } from "./parts/key-help.tsx";
import { Empty, Problem, Skeleton } from "./parts/states.tsx";
import type { Screen } from "./screens/screen.ts";
import { loadedScreen, loadScreen, screens, useFound } from "./screens/screens.ts";
import { agent } from "./agent/session.ts";

const Missing = () => (
  <div class="page">
    <h1 tabIndex={-1}>Nothing here</h1>
    <Empty title="This address belongs to no screen.">The navigation lists what there is.</Empty>
  </div>
);

/** Counts screens whose part of the script came after they were opened. */
const cameLate = signal(0);

/** A browser may keep the failure of a part, so that asking for it once more would not help. */
const notLoaded: Failure = {
  ok: false,
  kind: "lost",
  status: 0,
  code: "lost",
  message: "This screen did not load: the agent does not answer or has another version now. Load the page again.",
  requestId: null,
};

const Opened = ({ screen, id }: { readonly screen: Screen; readonly id: string | null }) => {
  const [state, setState] = useState<"loading" | "failed" | "here">("loading");
  const Component = loadedScreen(screen);
  const isLate = Component === null;
  useEffect(() => {
    if (!isLate) return;
    loadScreen(screen).then(
      () => setState("here"),
      () => setState("failed"),
    );
  }, [isLate]);
  // Its title can have the focus from here on.
  useLayoutEffect(() => {
    if (state === "here") cameLate.value += 1;
  }, [state]);
  if (Component !== null) return <Component id={id} />;
  return (
    <div class="page">
      {state === "failed" ? <Problem failure={notLoaded} again={() => location.reload()} /> : <Skeleton />}
    </div>
  );
};

const openedBy = (screen: Screen) => {
  const path = screen.hasRows === true ? `${addressOf(screen)}/:id?` : addressOf(screen);
  const component = ({ id }: { readonly id?: string }) => <Opened screen={screen} id={id ?? null} />;
  return { path, component };
};

const Routes = () => {
  // Made once: a component made while drawing would lose its state each time.
  const opened = useMemo(() => screens.map(openedBy), []);
  return (
    <Router>
      {opened.map(({ path, component }) => (
        <Route key={path} path={path} component={component} />
      ))}
      <Route default component={Missing} />
    </Router>
  );
};

/** A screen reader starts at the title of what was opened. Later, it would take the focus from a field chosen since. */
const useFocusOnTitle = (path: string): void => {
  const before = useRef(path);
  useLayoutEffect(() => {
    const title = document.querySelector("h1");
    if (before.current === path || title === null) return;
    before.current = path;
    title.focus({ preventScroll: true });
  }, [path, cameLate.value]);
};

const Frame = () => {
  const { path, route } = useLocation();
  const [panel, setPanel] = useState<"keys" | "call" | "more" | "find" | null>(null);
  const go: KeyMap = Object.fromEntries(screens.map((screen) => [`g ${screen.key}`, () => route(addressOf(screen))]));
  useKeys({ ...go, "/": () => setPanel("find"), "?": () => setPanel("keys"), ".": () => setPanel("call") });
  useFocusOnTitle(path);
  useAttention();
  useEffect(() => {
    if (path === `${base}/` || path === base) route(addressOf(screens[0] ?? missingScreen), true);
  }, [path]);
  return (
    <div class="frame">
      <a class="skip" href="#main">
        Skip to the content
      </a>
      <Navigation path={path} show={setPanel} />
      <main id="main">
        {isReached.value ? null : (
          <p class="banner" role="alert">
            No connection to the agent. What you see may be old; nothing is sent until it is back.
          </p>
        )}
        <Routes />
      </main>
      <p class="unseen" aria-live="polite">
        {announced.value}
      </p>
      {panel === "find" ? <Finder useFound={useFound} close={() => setPanel(null)} /> : null}
      {panel === "keys" ? <KeyHelp close={() => setPanel(null)} /> : null}
      {panel === "more" ? <More path={path} show={setPanel} close={() => setPanel(null)} /> : null}
      {panel === "call" ? <AsACall close={() => setPanel(null)} /> : null}
    </div>
  );
};

const missingScreen: Screen = { path: "none", label: agent, key: "", load: async () => Missing };

export const Shell = () => {
  // Before the first read goes out, which is an effect: an event between the two would be told to nobody.
  useLayoutEffect(() => startLive(), []);
  return (
    <LocationProvider scope={base}>
      <Frame />
    </LocationProvider>
  );
};
