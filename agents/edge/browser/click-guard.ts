const mark = "data-tsclick";
const rebuild = "/first-party/proxy-rebuild";
const own = ["tsurl", "tstoken", "tsexp"];

interface Change {
  readonly add: Record<string, string>;
  readonly del: readonly string[];
}

const changeOf = (signed: URL, current: URL): Change | null => {
  const base = signed.searchParams.get("tsurl");
  if (base === null || `${current.origin}${current.pathname}` !== base) return null;
  const before = new Map([...signed.searchParams].filter(([name]) => !own.includes(name)));
  const add: Record<string, string> = {};
  const del: string[] = [];
  for (const [name, value] of current.searchParams) {
    const old = before.get(name);
    if (old === value) continue;
    if (old !== undefined) del.push(name);
    add[name] = value;
  }
  for (const name of before.keys()) if (!current.searchParams.has(name)) del.push(name);
  return { add, del };
};

const rebuilt = async (signed: string, change: Change): Promise<string> => {
  const response = await fetch(rebuild, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ tsclick: signed, ...change }),
  }).catch(() => null);
  if (response === null || !response.ok) return signed;
  const answer = (await response.json()) as { href?: unknown };
  return typeof answer.href === "string" ? answer.href : signed;
};

/**
 * Keeps a creative's links on the publisher's own, signed addresses: a script that adds a click id gets a rebuilt
 * signature, a script that swaps the target is undone.
 */
const repair = (link: HTMLAnchorElement | HTMLAreaElement): void => {
  const signed = link.getAttribute(mark);
  if (signed === null || link.getAttribute("href") === signed) return;
  const change = changeOf(new URL(signed, location.href), new URL(link.href, location.href));
  link.setAttribute("href", signed);
  if (change === null || (change.del.length === 0 && Object.keys(change.add).length === 0)) return;
  void rebuilt(signed, change).then((href) => {
    link.setAttribute(mark, href);
    link.setAttribute("href", href);
  });
};

const linkOf = (target: EventTarget | null): HTMLAnchorElement | HTMLAreaElement | null =>
  target instanceof Element ? target.closest(`a[${mark}], area[${mark}]`) : null;

export const startClickGuard = (): void => {
  const onPress = (event: Event): void => {
    const link = linkOf(event.target);
    if (link !== null) repair(link);
  };
  for (const name of ["pointerdown", "keydown", "click", "auxclick"]) document.addEventListener(name, onPress, true);
  new MutationObserver((changes) => {
    for (const { target } of changes) {
      const link = linkOf(target);
      if (link !== null) repair(link);
    }
  }).observe(document.documentElement, { subtree: true, attributes: true, attributeFilter: ["href"] });
};
