export { type Claimed, type Claims, openClaims } from "./claims.ts";
export { openWatchers, type Watchers } from "./watchers.ts";
