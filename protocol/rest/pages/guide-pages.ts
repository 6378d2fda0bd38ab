import type { DoorAnswer, DoorRequest, DoorRoute } from "../../door/door.ts";
import { Refused, refuse } from "../../neutral/refusals.ts";
import { builtFiles, isolated, movedTo, strictPolicy } from "./built-files.ts";
import { fixedPage } from "./fixed-page.ts";

const html = "text/html; charset=utf-8";
const markdown = "text/markdown; charset=utf-8";
/** For models: https://llmstxt.org. */
const forModels = ["llms.txt", "llms-full.txt"] as const;

const pathOf = ({ node }: DoorRequest): string => (node.request.url ?? "").replace(/[?#].*$/, "");

/** The guide, rendered at build (`.ci/guide.mjs`): each page as HTML, and under its name with `.md` as written. */
export const guidePages = (name: "seller" | "buyer"): readonly DoorRoute[] => {
  const files = builtFiles("guide");
  const pages = new Map<string, DoorRoute>();

  const served = (file: string): DoorRoute => {
    const known = pages.get(file);
    if (known !== undefined) return known;
    const isHtml = file.endsWith(".html");
    const text = (): string => (isHtml ? files.text(file).replace("AGENT", name) : files.text(file));
    const made = fixedPage(`/guide/${file}`, isHtml ? html : markdown, text, strictPolicy);
    pages.set(file, made);
    return made;
  };

  const page = async (request: DoorRequest): Promise<DoorAnswer> => {
    const asked = pathOf(request);
    if (asked === "/guide") return movedTo("/guide/");
    const place = asked.slice("/guide/".length);
    const file = [place === "" ? "index.html" : place, `${place}.html`].find(
      (one) => /\.(html|md)$/.test(one) && files.has(one),
    );
    if (file === undefined) {
      throw new Refused(refuse("not_found", { message: "The guide has no such page. /guide/ lists all." }));
    }
    return isolated(await served(file).handle(request));
  };

  return [
    { method: "GET", path: "/guide", handle: page },
    { method: "GET", path: "/guide/assets/:name", handle: files.asset },
    { method: "GET", path: "/guide/*path", handle: page },
    ...forModels.map((file) => fixedPage(`/${file}`, markdown, () => files.text(file))),
  ];
};
