import { render } from "preact";
import { useEffect, useState } from "preact/hooks";
import { type Failure, signedOut } from "./agent/api.ts";
import { Problem, Skeleton } from "./parts/states.tsx";
import { agent, openSession, session } from "./agent/session.ts";
import { isAt } from "./navigation.tsx";
import { Shell } from "./shell.tsx";
import { loadScreen, setScreens } from "./screens/screens.ts";
import { SignIn } from "./sign-in.tsx";
import "./theme.ts";

const App = () => {
  const [failure, setFailure] = useState<Failure | null>(null);
  const open = (): void => void openSession().then(setFailure);
  useEffect(open, []);
  if (session.value === null) {
    const isLost = failure !== null;
    return <main class="sign-in">{isLost ? <Problem failure={failure} again={open} /> : <Skeleton />}</main>;
  }
  return session.value.signed_in && !signedOut.value ? <Shell /> : <SignIn first={failure} />;
};

const loaded = agent === "buyer" ? import("./screens/buyer.ts") : import("./screens/seller.ts");

document.title = `Parley ${agent}`;
const root = document.querySelector("#console");
const listed = await loaded;
setScreens(listed);
// The part of the script that is drawn first comes while the session is asked for; the shell says when it does not.
const first = listed.screens.find((screen) => isAt(location.pathname, screen)) ?? listed.screens[0];
if (first !== undefined) loadScreen(first).catch(() => undefined);
if (root !== null) render(<App />, root);
