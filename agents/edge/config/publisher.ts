import { z } from "zod";
import {
  bareOrigin,
  hostPatterns,
  isHeaderName,
  isHeaderValue,
  isHostName,
  nonEmpty,
  parseUrl,
  positiveInt,
  regularExpression,
  secretName,
} from "./rules.ts";

const isOriginUrl = (text: string): boolean => {
  const url = parseUrl(text);
  return url !== null && /^https?:$/.test(url.protocol) && url.username === "" && url.search === "" && url.hash === "";
};

const isHostAndPort = (text: string): boolean => {
  const [host, port, ...rest] = text.split(":");
  return isHostName(host ?? "") && rest.length === 0 && (port === undefined || /^\d{1,5}$/.test(port));
};

export const publisherSchema = z.strictObject({
  domain: z
    .string()
    .refine((text) => isHostName(text), "invalid_publisher_domain: must be a host name without scheme, port or path"),
  cookie_domain: z
    .string()
    .regex(/^[^;\r\n]+$/, "must not hold a semicolon or a line break; use the parent domain with a leading dot")
    .optional(),
  origin_url: z
    .string()
    .refine(isOriginUrl, "must be an absolute http or https URL")
    .refine((text) => !text.endsWith("/"), "origin_url must not include a trailing slash"),
  origin_host_header_override: z.string().refine(isHostAndPort, "must be host or host:port").optional(),
  proxy_secret: secretName,
  max_buffered_body_bytes: positiveInt.default(16_777_216),
});

const storeFault = z.strictObject({
  store: nonEmpty,
  operation: z.enum(["read", "write", "any"]),
  key_prefix: z.string().default(""),
});

export const debugSchema = z.strictObject({
  ja4_endpoint_enabled: z.boolean().default(false),
  store_faults: z.array(storeFault).default([]),
});

export const handlersSchema = z
  .array(z.strictObject({ path: regularExpression, username: nonEmpty, password: secretName }))
  .default([]);

const tlsSignals = ["x-ts-tls-protocol", "x-ts-tls-cipher"];
const forwardingName = z
  .string()
  .refine(isHeaderName, "is not a header name")
  .transform((text) => text.toLowerCase())
  .refine((text) => !tlsSignals.includes(text), "reserved_trusted_client_ip_header: choose a header of your own");

export const trustedClientIpSchema = z
  .strictObject({
    ip_header: forwardingName.refine(
      (text) => text === "fastly-client-ip" || text.startsWith("x-"),
      "unsafe_trusted_client_ip_header: must start with x- or be fastly-client-ip",
    ),
    auth_header: forwardingName.refine(
      (text) => text.startsWith("x-"),
      "unsafe_trusted_client_ip_auth_header: must start with x-",
    ),
    shared_secret: secretName,
    ja4_header: forwardingName.optional(),
    h2_header: forwardingName.optional(),
  })
  .refine(({ ip_header, auth_header, ja4_header, h2_header }) => {
    const names = [ip_header, auth_header, ja4_header, h2_header].filter((name) => name !== undefined);
    return new Set(names).size === names.length;
  }, "identical_trusted_client_ip_headers: ip_header, auth_header, ja4_header and h2_header must be different headers");

const geoNetwork = z.strictObject({
  cidr: nonEmpty,
  country: z
    .string()
    .regex(/^[A-Za-z]{2}$/, "must be an ISO 3166 alpha-2 code")
    .transform((text) => text.toUpperCase()),
  region: nonEmpty.optional(),
  city: nonEmpty.optional(),
  continent: nonEmpty.optional(),
  latitude: z.number().min(-90).max(90).optional(),
  longitude: z.number().min(-180).max(180).optional(),
  metro_code: z.int().min(0).optional(),
  asn: z.int().min(0).optional(),
});

export const geoSchema = z.strictObject({ networks: z.array(geoNetwork).default([]) });

export const requestSigningSchema = z.strictObject({
  enabled: z.boolean().default(false),
  config_store_id: nonEmpty,
  secret_store_id: nonEmpty,
});

export const discoverySchema = z.strictObject({
  service_name: z
    .string()
    .regex(/^[a-z0-9][a-z0-9._-]{0,62}$/, "must be 1 to 63 lower case letters, digits, dots, dashes or underscores")
    .default("parley-edge"),
});

export const responseHeadersSchema = z
  .record(
    z.string().refine(isHeaderName, "is not a header name"),
    z.string().refine(isHeaderValue, "is not a header value"),
  )
  .default({});

const sigV4 = z.strictObject({
  type: z.literal("s3_sigv4"),
  region: nonEmpty,
  access_key_id: secretName,
  secret_access_key: secretName,
  session_token: secretName.optional(),
  origin_query: z.enum(["preserve", "strip"]).optional(),
});

const assetRoute = z
  .strictObject({
    prefix: z.string().startsWith("/", "must start with /"),
    origin_url: bareOrigin,
    path_pattern: regularExpression.optional(),
    target_path: z.string().optional(),
    auth: sigV4.optional(),
  })
  .refine(
    (route) => (route.path_pattern === undefined) === (route.target_path === undefined),
    "path_pattern and target_path belong together: give both or none",
  )
  .refine(
    (route) => route.auth === undefined || route.origin_url.startsWith("https:"),
    "s3_sigv4 needs an https origin_url",
  );

export const proxySchema = z.strictObject({
  certificate_check: z.boolean().default(true),
  allowed_domains: hostPatterns,
  asset_routes: z.array(assetRoute).default([]),
});

export const rewriteSchema = z.strictObject({ exclude_domains: hostPatterns });
