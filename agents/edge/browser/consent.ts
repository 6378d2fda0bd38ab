type Listener = (answer: unknown, success: boolean) => void;
type TcfApi = (command: string, version: number, listener: Listener) => void;
type GppApi = (command: string, listener: Listener) => void;

const oneYearSeconds = 31_536_000;

/** A cookie that already says the same is left alone, so that its age keeps meaning something. */
const remember = (name: string, value: unknown, seconds = oneYearSeconds): void => {
  const text = typeof value === "string" ? value : "";
  if (!/^[A-Za-z0-9_.~,+/=-]{1,8192}$/.test(text)) return;
  if (document.cookie.split("; ").includes(`${name}=${text}`)) return;
  document.cookie = `${name}=${text}; Path=/; Secure; SameSite=Lax; Max-Age=${seconds}`;
};

const member = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null ? (value as Record<string, unknown>)[name] : undefined;

const fromTcf = (api: TcfApi): void => {
  api("addEventListener", 2, (answer, success) => {
    const status = member(answer, "eventStatus");
    if (success && (status === "tcloaded" || status === "useractioncomplete")) {
      remember("euconsent-v2", member(answer, "tcString"));
    }
  });
};

const fromGpp = (api: GppApi): void => {
  const keep = (ping: unknown): void => {
    remember("__gpp", member(ping, "gppString"));
    const sections = member(ping, "applicableSections");
    if (Array.isArray(sections)) remember("__gpp_sid", sections.join(","));
  };
  api("addEventListener", (event) => {
    const isReady = member(event, "eventName") === "signalStatus" && member(event, "data") === "ready";
    if (isReady) keep(member(event, "pingData"));
  });
  api("ping", keep);
};

const fromUsp = (api: TcfApi): void => {
  api("getUSPData", 1, (answer, success) => {
    if (success) remember("us_privacy", member(answer, "uspString"));
  });
};

const fromUserIds = (): void => {
  const pbjs = (window as { pbjs?: { que?: { push(job: () => void): void }; getUserIdsAsEids?: () => unknown } }).pbjs;
  pbjs?.que?.push(() => {
    const ids = pbjs.getUserIdsAsEids?.();
    if (!Array.isArray(ids) || ids.length === 0) return;
    const bytes = new TextEncoder().encode(JSON.stringify(ids));
    remember("ts-eids", btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join("")), 86_400);
  });
};

export const startConsent = (): void => {
  const page = window as { __tcfapi?: TcfApi; __gpp?: GppApi; __uspapi?: TcfApi };
  if (typeof page.__tcfapi === "function") fromTcf(page.__tcfapi);
  if (typeof page.__gpp === "function") fromGpp(page.__gpp);
  if (typeof page.__uspapi === "function") fromUsp(page.__uspapi);
  fromUserIds();
};
