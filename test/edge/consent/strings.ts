const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

const toText = (bits: string): string =>
  (bits.padEnd(Math.ceil(bits.length / 6) * 6, "0").match(/.{6}/g) ?? [])
    .map((six) => ALPHABET.charAt(Number.parseInt(six, 2)))
    .join("");

const number = (value: number, width: number): string => value.toString(2).padStart(width, "0");

/** Bit by bit after IAB TCF v2, without the library that reads it. */
export const tcString = (given: { purposes: readonly number[]; updatedAt: string; vendorBits?: string }): string => {
  const deciseconds = Math.round(Date.parse(given.updatedAt) / 100);
  const purposes = Array.from({ length: 24 }, (_, at) => (given.purposes.includes(at + 1) ? "1" : "0")).join("");
  const head =
    number(2, 6) + number(deciseconds, 36) + number(deciseconds, 36) + number(27, 12) + number(1, 12) + number(0, 6);
  const language = number(4, 6) + number(13, 6);
  const flags = number(150, 12) + number(4, 6) + "00" + number(0, 12);
  const tail = number(0, 24) + "0" + number(0, 12);
  return toText(head + language + flags + purposes + tail + (given.vendorBits ?? "0".repeat(46)));
};

/** IAB GPP: one section, a header with one Fibonacci-coded id. */
export const gppString = (section: number, text: string): string => {
  const weights = [1, 2, 3, 5, 8, 13, 21, 34, 55];
  let rest = section;
  let code = "";
  for (const weight of weights.filter((entry) => entry <= section).toReversed()) {
    code = (rest >= weight ? "1" : "0") + code;
    if (rest >= weight) rest -= weight;
  }
  return `${toText(`${number(3, 6)}${number(1, 6)}${number(1, 12)}0${code}1`)}~${text}`;
};
