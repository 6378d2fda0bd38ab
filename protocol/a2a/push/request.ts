import { V03PushNotificationSerializer } from "@a2a-js/sdk/compat/v0_3/server";
import { V1PushNotificationSerializer } from "@a2a-js/sdk/server";
import type { Store } from "../../../storage/store.ts";
import { type LoadedTask, taskKind, taskOf } from "../tasks/task-row.ts";
import { pushConfigKind, type PushConfigRow, type PushSubject } from "./record.ts";

export interface PushRequest {
  /** Whose key must still be valid; null: none. */
  readonly keyId: string | null;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

const serializers = { "0.3": new V03PushNotificationSerializer(), "1.0": new V1PushNotificationSerializer() };

/** Authentication before the token, as in the SDK. */
const credentialsOf = ({ token, authentication }: PushConfigRow): Readonly<Record<string, string>> => {
  if (authentication !== null && authentication.credentials !== "") {
    return { authorization: `${authentication.scheme} ${authentication.credentials}`.trim() };
  }
  return token === "" ? {} : { "x-a2a-notification-token": token };
};

/**
 * The task as it is now, in the version of the subscriber and without its history, which the subscriber wrote itself.
 * Null: task or configuration is gone.
 */
export const pushRequest = async (
  store: Pick<Store, "get">,
  { configRow, taskRow }: PushSubject,
): Promise<PushRequest | null> => {
  const config = ((await store.get(pushConfigKind.name, configRow)) as { body: PushConfigRow } | null)?.body;
  const loaded = (await store.get(taskKind.name, taskRow)) as LoadedTask | null;
  if (config === undefined || loaded === null) return null;
  const value = { ...taskOf(loaded), history: [] };
  const serializer = config.version.startsWith("0.") ? serializers["0.3"] : serializers["1.0"];
  const { body, contentType } = serializer.serialize({ payload: { $case: "task", value } }, value);
  return {
    keyId: config.key_id,
    url: config.url,
    headers: { "content-type": contentType, ...credentialsOf(config) },
    body,
  };
};
