import type { EdgeContext } from "../context.ts";
import { guardAdminNamespace } from "./guard.ts";
import { createIdentity, openSession, type EcSession } from "../identity/session.ts";
import type { EdgeRequest, EdgeResponse } from "../platform.ts";
import { assetCachePolicy, findAssetRoute, handleAsset } from "../publisher/assets/assets.ts";
import { handlePublisher } from "../publisher/origin.ts";
import { startPageAds } from "../publisher/page-ads.ts";
import { handleTsjs, tsjsPrefix } from "../publisher/tsjs.ts";

export interface RequestIdentity {
  readonly session: EcSession;
  readonly context: EdgeContext;
}

export interface Served {
  readonly response: EdgeResponse;
  readonly session: RequestIdentity | null;
  /** Applied after the finalizer, which would otherwise overwrite it. */
  readonly cachePolicy?: (headers: Headers) => void;
}

/** Identity is only finished where it can be stored; reading consent for nothing would cost every request. */
export const identitySession = (request: EdgeRequest, context: EdgeContext): RequestIdentity | null =>
  context.env.openIdentity === undefined ? null : { session: openSession(request, context), context };

const serveAsset = async (request: EdgeRequest, context: EdgeContext): Promise<Served | null> => {
  if (!context.env.traits.assetRoutes) return null;
  const route = findAssetRoute(context.config, request.method, context.url.pathname);
  if (route === null) return null;
  const response = await handleAsset(request, context, route);
  return withPolicy({ response, session: null }, request, context);
};

const withPolicy = (served: Served, request: EdgeRequest, context: EdgeContext): Served => {
  const cachePolicy = assetCachePolicy(request, context, served.response);
  return cachePolicy === null ? served : { ...served, cachePolicy };
};

const servePublisher = async (request: EdgeRequest, context: EdgeContext): Promise<Served> => {
  const identity = identitySession(request, context);
  const session = identity === null ? null : await createIdentity(identity.session, request, context);
  const ads = startPageAds(request, context, session);
  const response = await handlePublisher(request, context, { ads });
  return withPolicy({ response, session: session === null ? null : { session, context } }, request, context);
};

export const dispatchFallback = async (request: EdgeRequest, context: EdgeContext): Promise<Served> => {
  const path = context.url.pathname;
  const guardedAnswer = guardAdminNamespace(path);
  if (guardedAnswer !== null) return { response: guardedAnswer, session: null };
  if (request.method === "GET" && path.startsWith(tsjsPrefix)) {
    return { response: await handleTsjs(request, context), session: null };
  }
  return (await serveAsset(request, context)) ?? servePublisher(request, context);
};
