import { createPrivateKey, generateKeyPairSync, hkdfSync, type KeyObject } from "node:crypto";
import { join } from "node:path";
import type { StoreLocation } from "../host/store-location.ts";
import { secretFile } from "../host/secret-file.ts";
import { readBy, type Setting, StartFailure } from "../../protocol/neutral/settings.ts";

const curve = "prime256v1";

/** Line ends may be written as `\n`. */
const readKey = (text: string): KeyObject | null => {
  try {
    const key = createPrivateKey(text.replaceAll("\\n", "\n"));
    return key.asymmetricKeyDetails?.namedCurve === curve ? key : null;
  } catch {
    return null;
  }
};

export const cardSigningKey: Setting<KeyObject | null> = {
  variable: "CARD_SIGNING_KEY",
  form: "PEM",
  shownDefault: "the file card-signing.key of the data directory",
  meaning: "P-256 private key that signs the A2A cards (ES256); on PostgreSQL they are unsigned without it.",
  secret: true,
  schema: readBy(
    readKey,
    () => "A P-256 private key in PEM is wanted: openssl ecparam -name prime256v1 -genkey -noout.",
  ),
  fallback: null,
};

const fileName = "card-signing.key";

const newKey = (): string =>
  generateKeyPairSync("ec", { namedCurve: curve }).privateKey.export({ type: "pkcs8", format: "pem" }).toString();

/** The configured key, else that of the data directory; null without either. */
export const cardKeyOf = (configured: KeyObject | null, place: StoreLocation): KeyObject | null => {
  if (configured !== null) return configured;
  if (place.driver !== "lowdb") return null;
  const path = join(place.dir, fileName);
  const key = readKey(secretFile(path, newKey));
  if (key !== null) return key;
  throw new StartFailure(`${path} holds no P-256 private key. Put back what it held, or remove it.`);
};

/** All processes of an agent have the card's key, so each takes the answers to what another asked a client. */
export const mcpStateKey = (key: KeyObject): Uint8Array => {
  const secret = key.export({ type: "pkcs8", format: "der" });
  return new Uint8Array(hkdfSync("sha256", secret, "", "parley mcp request state", 32));
};
