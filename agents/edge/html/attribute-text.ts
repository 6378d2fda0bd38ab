import { Tokenizer } from "htmlparser2";

/** Collects what the tokenizer reports of one attribute value; everything else of its interface is of no interest. */
const createDecoder = () => {
  let source = "";
  let value = "";
  const ignore = (): void => undefined;
  const tokenizer = new Tokenizer(
    {},
    {
      onattribdata: (start, end) => void (value += source.slice(start, end)),
      onattribentity: (code) => void (value += String.fromCodePoint(code)),
      onattribend: ignore,
      onattribname: ignore,
      oncdata: ignore,
      onclosetag: ignore,
      oncomment: ignore,
      ondeclaration: ignore,
      onend: ignore,
      onopentagend: ignore,
      onopentagname: ignore,
      onprocessinginstruction: ignore,
      onselfclosingtag: ignore,
      ontext: ignore,
      ontextentity: ignore,
    },
  );
  return (raw: string): string => {
    value = "";
    source = `<a a="${raw.replaceAll('"', "&quot;")}">`;
    tokenizer.reset();
    tokenizer.write(source);
    return value;
  };
};

const decodeEntities = createDecoder();

/** The value that a browser reads: character references resolved (HTML standard, 13.2.5.36 to 13.2.5.38). */
export const decodeAttribute = (raw: string): string => (raw.includes("&") ? decodeEntities(raw) : raw);

/** A value as it may stand between double quotes. */
export const encodeAttribute = (value: string): string =>
  value.includes("&") || value.includes('"') ? value.replaceAll("&", "&amp;").replaceAll('"', "&quot;") : value;

/** Text of an element that is neither raw text nor markup (`<style>` inside SVG). */
export const encodeText = (value: string): string =>
  value.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
