const setCookie = "set-cookie";

/** What stands between two copies of a header: cookies alone are a list with semicolons (RFC 9113, section 8.2.3). */
const between = (name: string): string => (name === "cookie" ? "; " : ", ");

const breaksOut = /[\r\n\0]/;

const checked = (value: string): string => {
  const text = String(value).trim();
  if (breaksOut.test(text)) throw new TypeError("a header value must not hold line breaks");
  return text;
};

/**
 * Headers as the core reads them, over one map. The platform's own class sorts and copies on every look, which was the
 * larger part of what a proxied request cost; this one keeps insertion order. A class, because one object per
 * message with twelve closures would cost what it saves.
 */
class LightHeaders implements Iterable<[string, string]> {
  readonly #values = new Map<string, string>();
  #cookies: string[] = [];

  appendRaw(rawName: string, value: string): void {
    const name = rawName.toLowerCase();
    if (name === setCookie) {
      this.#cookies.push(value);
      return;
    }
    const old = this.#values.get(name);
    this.#values.set(name, old === undefined ? value : old + between(name) + value);
  }

  append(name: string, value: string): void {
    this.appendRaw(name, checked(value));
  }

  delete(name: string): void {
    const key = name.toLowerCase();
    if (key === setCookie) this.#cookies = [];
    else this.#values.delete(key);
  }

  get(name: string): string | null {
    const key = name.toLowerCase();
    if (key !== setCookie) return this.#values.get(key) ?? null;
    return this.#cookies.length === 0 ? null : this.#cookies.join(", ");
  }

  getSetCookie(): string[] {
    return [...this.#cookies];
  }

  has(name: string): boolean {
    const key = name.toLowerCase();
    return key === setCookie ? this.#cookies.length > 0 : this.#values.has(key);
  }

  set(name: string, value: string): void {
    const key = name.toLowerCase();
    if (key === setCookie) this.#cookies = [checked(value)];
    else this.#values.set(key, checked(value));
  }

  forEach(each: (value: string, name: string, headers: Headers) => void): void {
    for (const [name, value] of this) each(value, name, this as unknown as Headers);
  }

  *entries(): IterableIterator<[string, string]> {
    yield* this.#values;
    for (const cookie of this.#cookies) yield [setCookie, cookie];
  }

  *keys(): IterableIterator<string> {
    for (const [name] of this.entries()) yield name;
  }

  *values(): IterableIterator<string> {
    for (const [, value] of this.entries()) yield value;
  }

  [Symbol.iterator](): IterableIterator<[string, string]> {
    return this.#cookies.length === 0 ? this.#values.entries() : this.entries();
  }

  flat(): string[] {
    const flat: string[] = [];
    for (const [name, value] of this.#values) flat.push(name, value);
    for (const cookie of this.#cookies) flat.push(setCookie, cookie);
    return flat;
  }
}

export const fromRawHeaders = (raw: readonly string[]): Headers => {
  const headers = new LightHeaders();
  for (let index = 0; index < raw.length; index += 2) headers.appendRaw(raw[index] ?? "", raw[index + 1] ?? "");
  return headers as unknown as Headers;
};

/** Headers of a message that is being made. Values must not hold line breaks. */
export const headersOf = (members: Readonly<Record<string, string>>): Headers => {
  const headers = new LightHeaders();
  for (const [name, value] of Object.entries(members)) headers.set(name, value);
  return headers as unknown as Headers;
};

export const flatHeaders = (headers: Headers): string[] => {
  if (headers instanceof LightHeaders) return headers.flat();
  const flat: string[] = [];
  for (const [name, value] of headers) flat.push(name, value);
  return flat;
};
