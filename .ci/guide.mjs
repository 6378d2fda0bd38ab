// Renders the guide: every Markdown page below docs/ becomes dist/guide/PAGE.html, and PAGE.md beside it for programs;
// pages of docs/guide stand at the top, pages about operations and refusals are made of docs/surface (guide-reference.mjs).
// Links are checked on the way; test/docs/guide.test.ts wants none broken.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, posix } from "node:path";
import { Marked, Renderer } from "marked";
import MiniSearch from "minisearch";
import { referencePages } from "./guide-reference.mjs";

const escaped = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };
const escapeHtml = (text) => text.replace(/[&<>"']/g, (sign) => escaped[sign]);

/** As GitHub makes them, so that a link to a heading works there too. */
const anchorOf = (text) =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, "")
    .trim()
    .replace(/\s+/g, "-");

/** `docs/guide/start/rest.md` is the page `start/rest`, `docs/edge.md` the page `edge`. */
const pageOf = (file) =>
  file
    .replace(/^docs\/(guide\/)?/, "")
    .replace(/\.md$/, "")
    .replace(/(^|\/)README$/, "$1index");

const markdownFiles = (root) =>
  readdirSync(join(root, "docs"), { recursive: true, encoding: "utf8" })
    .map((name) => `docs/${name.replaceAll("\\", "/")}`)
    .filter((name) => name.endsWith(".md"))
    .sort();

/** Pages by name: where the text stands or would stand, and the text. */
const sourcesOf = (root) => {
  const written = markdownFiles(root).map((file) => [
    pageOf(file),
    { file, text: readFileSync(join(root, file), "utf8") },
  ]);
  const pages = new Map(written);
  // Sections of docs/guide/refusals.md become pages of their own, and their links still count from that file.
  for (const [page, text] of referencePages(root)) {
    pages.set(page, { file: `docs/guide/${page.replace(/^refusals\/.*/, "refusals")}.md`, text });
  }
  return pages;
};

const plainOf = (tokens) =>
  (tokens ?? [])
    .map((token) => {
      if (token.type === "space") return " ";
      if (token.type === "table")
        return [token.header, ...token.rows]
          .flat()
          .map((cell) => plainOf(cell.tokens))
          .join(" ");
      if (token.type === "list") return token.items.map((item) => plainOf(item.tokens)).join(" ");
      return token.tokens === undefined ? (token.text ?? "") : plainOf(token.tokens);
    })
    .join(" ");

const readerOf = () => new Marked({ gfm: true });

/** Title, parts by heading (for the search and for anchors) and the tree of one page. */
const readPage = (text) => {
  const tokens = readerOf().lexer(text);
  const title = tokens.find(({ type, depth }) => type === "heading" && depth === 1);
  const parts = [];
  const anchors = new Set();
  for (const token of tokens) {
    if (token.type === "heading") {
      const heading = plainOf(token.tokens).replace(/\s+/g, " ").trim();
      token.anchor = anchorOf(heading);
      anchors.add(token.anchor);
      parts.push({ anchor: token.depth === 1 ? "" : token.anchor, title: heading, text: "" });
    } else if (parts.length > 0) {
      parts.at(-1).text += ` ${plainOf([token])}`;
    }
  }
  return { title: title === undefined ? "" : plainOf(title.tokens).trim(), tokens, parts, anchors };
};

/** Where a link of a page leads: an address of the agent, of the web, or a file of the checkout that no agent serves. */
const resolveLink = (site, { file }, href) => {
  if (/^(https?:|mailto:)/.test(href)) return { href };
  const [path = "", anchor = ""] = href.split("#");
  if (path.startsWith("/") && !path.startsWith("/guide")) return { href };
  const target = path === "" ? file : posix.normalize(posix.join(posix.dirname(file), path));
  const page = path.startsWith("/guide") ? path.replace(/^\/guide\/?/, "") || "index" : pageOf(target);
  const known = site.pages.get(page);
  if (known !== undefined && (path === "" || path.startsWith("/guide") || target.endsWith(".md"))) {
    const isThere = anchor === "" || known.anchors.has(anchor);
    const address = `/guide/${page === "index" ? "" : page}${anchor === "" ? "" : `#${anchor}`}`;
    return isThere ? { href: address } : { problem: `${file}: ${href}: the page has no such heading` };
  }
  const image = /^docs\/images\/([\w-]+\.png)$/.exec(target)?.[1];
  if (existsSync(join(site.root, target))) {
    return image === undefined ? { inCheckout: target } : { href: `/guide/assets/${image}`, image };
  }
  return { problem: `${file}: ${href}: there is no such page or file` };
};

/** What the words behind the language of a code block ask the test of the guide to do (test/docs/blocks.ts). */
const blockOf = (info = "") => {
  const [language = "", ...words] = info.split(/\s+/);
  const isOutput = language === "output" || words.includes("output");
  const file = words.find((word) => word.startsWith("file="))?.slice("file=".length);
  return { language, isOutput, file, isCommand: words.includes("run") || words.includes("serve") };
};

const rendererOf = (site, page) => {
  const found = (href) => {
    const target = resolveLink(site, page, href);
    if (target.problem !== undefined) site.problems.push(target.problem);
    if (target.image !== undefined) site.images.add(target.image);
    return target;
  };
  const renderer = new Renderer();
  renderer.html = ({ text }) => escapeHtml(text);
  renderer.heading = function heading({ tokens, depth, anchor }) {
    const text = this.parser.parseInline(tokens);
    if (depth === 1) return `<h1>${text}</h1>\n`;
    return `<h${depth} id="${anchor ?? ""}"><a href="#${anchor ?? ""}">${text}</a></h${depth}>\n`;
  };
  renderer.code = ({ text, lang }) => {
    const { isOutput, file, isCommand, language } = blockOf(lang);
    const kind = isOutput ? " output" : isCommand || language === "sh" || file !== undefined ? " runs" : "";
    const caption = file === undefined ? "" : `<figcaption>${escapeHtml(file)}</figcaption>`;
    return `<figure class="code${kind}">${caption}<pre tabindex="0"><code>${escapeHtml(text)}</code></pre></figure>\n`;
  };
  renderer.link = function link({ href, tokens }) {
    const text = this.parser.parseInline(tokens);
    const target = found(href);
    if (target.inCheckout !== undefined)
      return `${text} (<code>${escapeHtml(target.inCheckout)}</code> of the checkout)`;
    return target.href === undefined ? text : `<a href="${escapeHtml(target.href)}">${text}</a>`;
  };
  renderer.image = ({ href, text }) => `<img src="${escapeHtml(found(href).href ?? "")}" alt="${escapeHtml(text)}">`;
  const { table } = Renderer.prototype;
  renderer.table = function wide(token) {
    return `<div class="wide" tabindex="0">${table.call(this, token)}</div>`;
  };
  return renderer;
};

/** Sections of the index: its second headings, and the links of the list below each. */
const contentsOf = (site) => {
  const index = site.pages.get("index");
  const sections = [];
  for (const token of index.tokens) {
    if (token.type === "heading" && token.depth === 2) sections.push({ title: plainOf(token.tokens), pages: [] });
    if (token.type !== "list" || sections.length === 0) continue;
    for (const item of token.items) {
      const link = item.tokens.flatMap(({ tokens = [] }) => tokens).find(({ type }) => type === "link");
      const href = link === undefined ? undefined : resolveLink(site, index, link.href).href;
      if (href?.startsWith("/guide/")) sections.at(-1).pages.push({ href, title: plainOf(link.tokens) });
    }
  }
  return sections;
};

const contentsHtml = (sections, here) =>
  sections
    .map(({ title, pages }) => {
      const rows = pages.map(({ href, title: name }) => {
        const current = href === here ? ' aria-current="page"' : "";
        return `<li><a href="${href}"${current}>${escapeHtml(name)}</a></li>`;
      });
      return `<h2>${escapeHtml(title)}</h2>\n<ul>\n${rows.join("\n")}\n</ul>`;
    })
    .join("\n");

const nextHtml = (sections, here) => {
  const all = sections.flatMap(({ pages }) => pages);
  const at = all.findIndex(({ href }) => href === here);
  const next = at < 0 ? undefined : all[at + 1];
  return next === undefined ? "" : `<p class="next">Next: <a href="${next.href}">${escapeHtml(next.title)}</a></p>`;
};

/** The text for programs: links as addresses of the agent, and files that it does not serve as text. */
const sourceOf = (site, page) => {
  const served = page.text.replace(/(?<!!)\[([^\]]*)\]\(([^)\s]+)\)/g, (link, text, href) => {
    const { inCheckout } = resolveLink(site, page, href);
    return inCheckout === undefined ? link : `${text} (\`${inCheckout}\` of the checkout)`;
  });
  return served.replace(/(?<=\]\()[^)\s]+(?=\))/g, (href) => {
    const { href: address = href } = resolveLink(site, page, href);
    return address.replace(/^(\/guide\/[^#]+)/, (path) => (/\.\w+$/.test(path) ? path : `${path}.md`));
  });
};

const searchOptions = {
  idField: "id",
  fields: ["title", "page", "text"],
  storeFields: ["id", "title", "page"],
  searchOptions: { boost: { title: 4, page: 2 }, prefix: true, fuzzy: 0.15, combineWith: "AND" },
};

/** Decisions are for who changes the program: they come after all that answers the same words. */
const searchFile = (site) => {
  const search = new MiniSearch(searchOptions);
  for (const [name, { title, parts }] of site.pages) {
    if (name.startsWith("decisions/")) continue;
    for (const part of parts) {
      const id = `${name === "index" ? "" : name}${part.anchor === "" ? "" : `#${part.anchor}`}`;
      if (!search.has(id)) search.add({ id, title: part.title, page: title, text: part.text });
    }
  }
  return JSON.stringify({ options: searchOptions, index: search });
};

const fullText = (site, sections) =>
  sections
    .filter(({ title }) => title !== "Working on it")
    .flatMap(({ pages }) => pages)
    .map(({ href }) => site.pages.get(href.replace(/^\/guide\/?/, "") || "index"))
    .filter((page) => page !== undefined)
    .map((page) => sourceOf(site, page))
    .join("\n\n---\n\n");

/**
 * Files by their name below `dist/guide`, names of the pictures they show, names of pages that the index does not list, and
 * what is wrong with links. `{{…}}` of the shell are filled here; the agent's name is filled as it is served.
 */
export const renderGuide = (root) => {
  const site = { root, pages: new Map(), problems: [], images: new Set() };
  for (const [name, source] of sourcesOf(root)) site.pages.set(name, { ...source, ...readPage(source.text) });
  const shell = readFileSync(join(root, "agents", "console", "page", "guide", "page.html"), "utf8");
  const sections = contentsOf(site);
  const files = new Map();
  for (const [name, page] of site.pages) {
    const marked = new Marked({ gfm: true, renderer: rendererOf(site, page) });
    const here = `/guide/${name === "index" ? "" : name}`;
    const filled = {
      title: escapeHtml(name === "index" ? page.title : `${page.title} · Parley guide`),
      source: `/guide/${name}.md`,
      contents: contentsHtml(sections, here),
      text: marked.parser(page.tokens) + nextHtml(sections, here),
    };
    files.set(
      `${name}.html`,
      shell.replace(/\{\{(\w+)\}\}/g, (_, key) => filled[key]),
    );
    files.set(`${name}.md`, sourceOf(site, page));
  }
  files.set("llms.txt", sourceOf(site, site.pages.get("index")));
  files.set("llms-full.txt", fullText(site, sections));
  const listed = new Set(sections.flatMap(({ pages }) => pages.map(({ href }) => href)));
  const unlisted = [...site.pages.keys()].filter((name) => !listed.has(`/guide/${name}`));
  return { files, search: searchFile(site), images: [...site.images], unlisted, problems: site.problems };
};

export const imageFolder = (root) => join(root, "docs", "images");
export const guideFolder = (root) => dirname(join(root, "dist", "guide", "index.html"));
