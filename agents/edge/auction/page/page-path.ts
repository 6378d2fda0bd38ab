const longest = 256;

const identifier = /^(?:\d+|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|(?=.*\d)[0-9a-f]{16,})$/i;

/** A page's path as the log may keep it: no query, no fragment, `:id` for every identifier. */
export const redactedPath = (text: string): string => {
  const path = text.split(/[?#]/, 1)[0]?.replace(/^\/?/, "/") ?? "/";
  const segments = path.split("/").map((segment) => (identifier.test(segment) ? ":id" : segment));
  return segments.join("/").slice(0, longest);
};
