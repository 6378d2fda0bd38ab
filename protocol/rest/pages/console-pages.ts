import type { DoorAnswer, DoorRequest, DoorRoute } from "../../door/door.ts";
import { builtFiles, isolated, movedTo, strictPolicy } from "./built-files.ts";
import { fixedPage } from "./fixed-page.ts";

/** Every path but those of files is a screen, drawn by the script of the one page. */
export const consolePages = (name: "seller" | "buyer"): readonly DoorRoute[] => {
  const files = builtFiles("console");
  const html = (): string => files.text("index.html").replace("AGENT", name);
  const shell = fixedPage("/console", "text/html; charset=utf-8", html, strictPolicy);
  const screen = async (request: DoorRequest): Promise<DoorAnswer> => isolated(await shell.handle(request));
  return [
    {
      method: "GET",
      path: "/console",
      handle: (request) =>
        /^\/console(?:\?|$)/.test(request.node.request.url ?? "")
          ? Promise.resolve(movedTo("/console/"))
          : screen(request),
    },
    { method: "GET", path: "/console/assets/:name", handle: files.asset },
    { method: "GET", path: "/console/*path", handle: screen },
  ];
};
