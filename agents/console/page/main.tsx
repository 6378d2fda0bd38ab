import { render } from "preact";
import { useState } from "preact/hooks";
import { type Failure, signedOut } from "./agent/api.ts";
import { Problem } from "./parts/states.tsx";
import { agent, openSession, session } from "./agent/session.ts";
import { isAt } from "./navigation.tsx";
import { Shell } from "./shell.tsx";
import { loadScreen, setScreens } from "./screens/screens.ts";
import { SignIn } from "./sign-in.tsx";
import "./theme.ts";

const App = ({ first }: { readonly first: Failure | null }) => {
  const [failure, setFailure] = useState(first);
  if (session.value !== null) {
    return session.value.signed_in && !signedOut.value ? <Shell /> : <SignIn first={failure} />;
  }
  const again = (): void => void openSession().then(setFailure);
  return <main class="sign-in">{failure === null ? null : <Problem failure={failure} again={again} />}</main>;
};

document.title = `Parley ${agent}`;
// The page stands as the agent sent it until the session is known.
const opening = openSession();
const listed = await (agent === "buyer" ? import("./screens/buyer.ts") : import("./screens/seller.ts"));
setScreens(listed);
// The screen that is drawn first; the shell says when it does not come.
const first = listed.screens.find((screen) => isAt(location.pathname, screen)) ?? listed.screens[0];
const [failure] = await Promise.all([opening, first === undefined ? null : loadScreen(first).catch(() => undefined)]);
const root = document.querySelector("#console");
// What the agent sent would stay beside a page of another form: two `main` on the sign-in.
root?.replaceChildren();
if (root !== null) render(<App first={failure} />, root);
