import { tierOfIdentity } from "../../../machines/pricing/tiers.ts";
import { type Caller, noIdentity, ownerOf } from "../../../protocol/seam/caller.ts";
import type { CallerDirectory } from "../../../protocol/seam/ports.ts";

/** As AdCP's public test kits have them: the number at the end changes with their releases. */
const form = /^demo-[a-z0-9-]{1,64}-v\d{1,4}$/;

/** Whoever knows the name of a kit may test: each key is a buyer of its own. */
const callerOf = (secret: string): Caller => {
  const identity = { ...noIdentity, seat_id: secret };
  return {
    kind: "key",
    principal: `test:${secret}`,
    owner: ownerOf(secret, identity, true),
    limitKey: `test:${secret}`,
    keyId: null,
    roles: ["buyer"],
    identity,
    verified: true,
    tier: tierOfIdentity(identity),
    boundAgentUrl: null,
  };
};

/** In test mode alone. */
export const withTestKeys = <D extends Pick<CallerDirectory, "find">>(keys: D): D => ({
  ...keys,
  find: (secret, address) => (form.test(secret) ? Promise.resolve(callerOf(secret)) : keys.find(secret, address)),
});
