// Puts an ad server's inventory behind the address that a seller imports from (AD_SERVER_TYPE=http). Exchange `placements` for
// a call of your ad server; the rest is the form of the feed: pages with a cursor, a token, and what changed since a time.
//   FEED_TOKEN=secret node test/examples/ad-server-feed.mjs
//   AD_SERVER_TYPE=http AD_SERVER_FEED_URL=http://127.0.0.1:8040/ AD_SERVER_FEED_TOKEN=secret parley seller
import { createServer } from "node:http";

const { FEED_PORT = "8040", FEED_TOKEN = "" } = process.env;
const pageSize = 100;

/** What the ad server calls its placements, newest change first. */
const placements = async () => [
  { key: 4711, title: "Homepage billboard", kind: "BANNER", active: true, edited: "2027-01-12T08:00:00Z" },
  { key: 4712, title: "Evening pre-roll", kind: "VIDEO", active: true, edited: "2027-01-10T08:00:00Z" },
  { key: 4713, title: "Old takeover", kind: "BANNER", active: false, edited: "2027-01-02T08:00:00Z" },
];

const types = { BANNER: "display", VIDEO: "video" };

const itemOf = ({ key, title, kind, active, edited }) => ({
  id: String(key),
  name: title,
  inventory_type: types[kind] ?? "display",
  status: active ? "active" : "archived",
  updated_at: edited,
});

const answer = (response, status, body) => {
  response.writeHead(status, { "content-type": "application/json" });
  response.end(JSON.stringify(body));
};

/** A page of what changed since a time; the cursor counts items. */
const pageOf = async (query) => {
  const since = Date.parse(query.get("updated_since") ?? "1970-01-01");
  const from = Number(query.get("cursor") ?? 0);
  const found = (await placements()).filter(({ edited }) => Date.parse(edited) >= since);
  const more = found.length > from + pageSize ? { next_cursor: String(from + pageSize) } : {};
  return { items: found.slice(from, from + pageSize).map(itemOf), ...more };
};

const server = createServer((request, response) => {
  if (FEED_TOKEN !== "" && request.headers.authorization !== `Bearer ${FEED_TOKEN}`) {
    return answer(response, 401, { error: "the token is wrong" });
  }
  pageOf(new URL(request.url, "http://feed").searchParams).then(
    (page) => answer(response, 200, page),
    (error) => answer(response, 502, { error: error.message }),
  );
});
server.listen(Number(FEED_PORT), "127.0.0.1", () => console.log(`feed at http://127.0.0.1:${server.address().port}/`));
