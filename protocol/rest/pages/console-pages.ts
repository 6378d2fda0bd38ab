import { z } from "zod";
import type { DoorAnswer, DoorRequest, DoorRoute } from "../../door/door.ts";
import { builtFiles, isolated, movedTo, strictPolicy } from "./built-files.ts";
import { fixedPage } from "./fixed-page.ts";

/** By agent and screen. */
const scriptLists = z.record(z.string(), z.record(z.string(), z.array(z.string())));

/** A script would otherwise be found in the one before it, and the first paint would wait for five answers in turn. */
const preload = (file: string): string => `<link rel="modulepreload" href="/console/assets/${file}">\n`;

/** Every path but those of files is a screen, drawn by the script of the one page. */
export const consolePages = (name: "seller" | "buyer"): readonly DoorRoute[] => {
  const files = builtFiles("console");
  const readScripts = () => scriptLists.parse(JSON.parse(files.text("scripts.json")))[name] ?? {};
  let scripts: ReturnType<typeof readScripts> | null = null;
  const pages = new Map<string, DoorRoute>();
  /** An address of no screen gets the page of the first. */
  const pageOf = (asked: string): DoorRoute => {
    scripts ??= readScripts();
    const screen = Object.hasOwn(scripts, asked) ? asked : (Object.keys(scripts)[0] ?? "");
    const preloads = (scripts[screen] ?? []).map(preload).join("");
    const html = (): string =>
      files.text("index.html").replaceAll("AGENT", name).replace("</head>", `${preloads}</head>`);
    const page = pages.get(screen) ?? fixedPage("/console", "text/html; charset=utf-8", html, strictPolicy);
    pages.set(screen, page);
    return page;
  };
  const screen = async (request: DoorRequest): Promise<DoorAnswer> => {
    const [asked = ""] = (request.params["path"] ?? "").split("/");
    return isolated(await pageOf(asked).handle(request));
  };
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
