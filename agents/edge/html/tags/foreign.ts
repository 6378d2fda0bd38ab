type Content = "html" | "svg" | "math";

const htmlInsideSvg = new Set(["foreignobject", "desc", "title"]);
const htmlInsideMath = new Set(["mi", "mo", "mn", "ms", "mtext"]);

const breakout = new Set(
  (
    "b big blockquote body br center code dd div dl dt em embed h1 h2 h3 h4 h5 h6 head hr i img li listing menu meta " +
    "nobr ol p pre ruby s small span strong strike sub sup table tt u ul var"
  ).split(" "),
);

const deepest = 512;

interface Frame {
  readonly name: string;
  readonly content: Content;
}

/**
 * Follows whether the tokenizer stands in SVG or MathML, where `style`, `title` and their kind are not raw text.
 * It keeps only elements from the outermost `svg` or `math` inwards, so ordinary pages cost one comparison a tag.
 */
export const createForeignTracker = () => {
  let frames: Frame[] = [];

  const content = (): Content => frames.at(-1)?.content ?? "html";

  const leaveForeign = (): void => {
    while (frames.length > 0 && content() !== "html") frames.pop();
  };

  const contentOf = (name: string, isHtmlAnnotation: boolean): Content => {
    const here = content();
    if (here === "html") return name === "svg" || name === "math" ? (name as Content) : "html";
    if (here === "svg") return htmlInsideSvg.has(name) ? "html" : "svg";
    if (name === "svg") return "svg";
    return htmlInsideMath.has(name) || isHtmlAnnotation ? "html" : "math";
  };

  return {
    isEntered: (): boolean => frames.length > 0,
    isForeign: (): boolean => frames.length > 0 && content() !== "html",
    content,
    open(name: string, selfClosing: boolean, hasFontAttribute: boolean, isHtmlAnnotation: boolean): void {
      if (frames.length === 0 && name !== "svg" && name !== "math") return;
      const foreign = content() !== "html";
      if (foreign && (breakout.has(name) || (name === "font" && hasFontAttribute))) leaveForeign();
      const next = contentOf(name, isHtmlAnnotation);
      const closesItself = selfClosing && (content() !== "html" || next !== "html");
      if (closesItself || frames.length >= deepest) return;
      if (content() !== "html" || next !== "html") frames.push({ name, content: next });
    },
    close(name: string): void {
      if (frames.length === 0) return;
      if (content() !== "html" && (name === "p" || name === "br")) return leaveForeign();
      const at = frames.findLastIndex((frame) => frame.name === name);
      if (at >= 0) frames = frames.slice(0, at);
    },
  };
};
