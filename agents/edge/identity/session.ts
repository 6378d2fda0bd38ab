import { readConsent } from "../consent/consent.ts";
import type { Consent } from "../consent/consent.ts";
import type { EdgeContext } from "../context.ts";
import type { EdgeRequest } from "../platform.ts";
import { isRealBrowser, readDevice } from "./device.ts";
import { ecCookieName, createEcId, ecCookie, isEcId, normalizeEcId, shownEc } from "./ec.ts";
import { ingestOfCookies } from "./eids.ts";
import { newEntry } from "./entry.ts";
import type { Device } from "./entry.ts";
import { createOrRevive, upsertIds, withdraw } from "./identity-writes.ts";
import { pullSync } from "./pull-sync.ts";

/** The identity of one request: what the cookie says, what consent allows, what was made for it. */
export interface EcSession {
  readonly consent: Consent;
  readonly device: Device;
  readonly hasCookie: boolean;
  readonly cookieId: string | null;
  readonly createdId: string | null;
}

export const openSession = (request: EdgeRequest, context: EdgeContext): EcSession => {
  const cookie = context.cookies.get(ecCookieName);
  return {
    consent: readConsent(request.headers, context),
    device: readDevice(request.headers, context),
    hasCookie: cookie !== undefined,
    cookieId: cookie !== undefined && isEcId(cookie) ? cookie : null,
    createdId: null,
  };
};

export const activeId = (session: EcSession): string | null =>
  session.consent.isEcAllowed ? (session.cookieId ?? session.createdId) : null;

export const isDocumentNavigation = (headers: Headers): boolean => {
  const destination = headers.get("sec-fetch-dest");
  return destination === null ? (headers.get("accept") ?? "").includes("text/html") : destination === "document";
};

const nowS = (context: EdgeContext): number => Math.floor(context.env.now() / 1_000);

/**
 * Makes an identity for a navigation that has none. It is stored before anyone sees it: when the
 * store fails there is no id, and the page is served all the same.
 */
export const createIdentity = async (
  session: EcSession,
  request: EdgeRequest,
  context: EdgeContext,
): Promise<EcSession> => {
  const store = context.identity;
  const isWanted = session.cookieId === null && session.consent.isEcAllowed && isRealBrowser(session.device);
  if (store === null || !isWanted || !isDocumentNavigation(request.headers)) return session;
  if (context.clientIp === null) {
    context.env.log({ level: "warn", event: "ec_generation_failed", reason: "the client address is not known" });
    return session;
  }
  const { passphrase } = context.config.ec;
  const id = createEcId(passphrase, context.clientIp, (bytes) => context.env.random(bytes));
  const originDomain = context.config.publisher.domain;
  const { consent, device } = session;
  const entry = newEntry(nowS(context), { consent, geo: context.geo, device, originDomain });
  try {
    await createOrRevive(store, id, entry);
  } catch (error) {
    context.env.log({ level: "warn", event: "ec_not_stored", ec: shownEc(id), reason: String(error) });
    return session;
  }
  context.metrics.add("edge_ec_created_total");
  return { ...session, createdId: id };
};

const dropIdentityHeaders = (headers: Headers, context: EdgeContext): void => {
  for (const name of ["x-ts-ec", "x-ts-eids", "x-ts-ec-consent", "x-ts-eids-truncated"]) headers.delete(name);
  for (const partner of context.config.ec.partners) headers.delete(`x-ts-${partner.source_domain}`);
};

const withdrawAll = async (session: EcSession, context: EdgeContext): Promise<void> => {
  const store = context.identity;
  const cookie = normalizeEcId(context.cookies.get(ecCookieName) ?? "");
  const ids = new Set([cookie, session.createdId].filter((id) => id !== null));
  for (const id of ids) {
    try {
      if (store !== null) await withdraw(store, id, nowS(context));
    } catch (error) {
      context.env.log({ level: "error", event: "ec_withdrawal_not_stored", ec: shownEc(id), reason: String(error) });
    }
  }
};

const ingest = async (id: string, context: EdgeContext): Promise<void> => {
  const { matched } = ingestOfCookies(context.cookies, context.config.ec.partners);
  if (context.identity === null || matched.size === 0) return;
  try {
    await upsertIds(context.identity, id, matched);
  } catch (error) {
    context.env.log({ level: "warn", event: "eids_not_stored", ec: shownEc(id), reason: String(error) });
  }
};

/**
 * Ends the identity's part of a request, after the handler and the finalizer: a withdrawal expires
 * the cookie and leaves a tombstone, otherwise the browser's partner ids are stored and a new id gets its cookie.
 * Does nothing on a platform without identity stores, where the cookie is only read.
 */
export const finishSession = async (session: EcSession, headers: Headers, context: EdgeContext): Promise<void> => {
  if (context.env.openIdentity === undefined) return;
  const { domain } = context.config.publisher;
  if (!session.consent.isEcAllowed) {
    dropIdentityHeaders(headers, context);
    if (!session.consent.isWithdrawn || !session.hasCookie) return;
    headers.append("set-cookie", ecCookie("", domain));
    return withdrawAll(session, context);
  }
  if (session.createdId !== null) headers.append("set-cookie", ecCookie(session.createdId, domain));
  const id = activeId(session);
  if (id === null || !isRealBrowser(session.device)) return;
  await ingest(id, context);
  context.after(pullSync(id, context));
};
