import { anyOf } from "./any-of.ts";
import { month } from "./dates/month-words.ts";
import { matchesOf, blanked, type Span } from "./spans.ts";

/** Bounds the cost; what a buyer wants stands in the first pages. */
export const mostRead = 6000;

const row = /^[ \t]*\|?(?:[^|\n]*\|){2,}[^|\n]*$/gm;

/** Rows of a pasted table as lists of words, without its head and the rows' numbers. */
const withoutTable = (text: string): string =>
  text.replace(row, (words) =>
    /\d/.test(words)
      ? words.replace(/^[ \t|]*\d{1,2}(?=\s*\|)/, (mark) => " ".repeat(mark.length)).replace(/\|/g, ",")
      : " ".repeat(words.length),
  );

const short: readonly (readonly [RegExp, string])[] = [
  [/\b(what|that|how|where|who|it|let)s\b(?=\s(?!own))/gi, "$1's"],
  [/\b(?:smth|smthg|sth)\b/gi, "something"],
  [/\bwdyt\b/gi, "what do you think"],
  [/\b(?:rn|atm)\b/gi, "right now"],
  [/\bu\b(?!\.)/g, "you"],
  [/\bur\b/gi, "your"],
  [/(?<=[a-z] )2 (?=(?:me|us|you|someone|somebody|a|the|book|buy|get|know)\b)/gi, "to "],
  [/(?<=[a-z] )n (?=(?:we|i|it|you|then|also)\b)/gi, "and "],
  [/\bgonna\b/gi, "going to"],
  [/\bwanna\b/gi, "want to"],
];

/** Chat words in full. */
const inFull = (text: string): string => short.reduce((left, [word, full]) => left.replace(word, full), text);

/** "February, 1 to 21" is one date. */
const dateComma = new RegExp(`\\b(${month}),(?=\\s\\d{1,2}(?:st|nd|rd|th)?\\s?(?:-|–|to|until)\\s?\\d{1,2}\\b)`, "gi");

/** One script and one form of each sign, without list marks, addresses and repeated blanks. */
export const prepared = (said: string): string => {
  const text = inFull(said.slice(0, mostRead))
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .replace(/[’‘´`]/g, "'")
    .replace(/[\u00a0\u202f]/g, " ")
    .replace(/[^\S\n]{2,}/g, " ");
  return withoutTable(text)
    .replace(/^[ \t]*(?:\d{1,2}[.)]|[-*•])[ \t]+/gm, (mark) => " ".repeat(mark.length))
    .replace(/(?<=\s)(?:\(?\d{1,2}|\([a-h])\)(?=\s)/g, (mark) => ";".padStart(mark.length))
    .replace(dateComma, "$1 ")
    .replace(/\+\d[\d ()/-]{6,20}\d/g, (phone) => " ".repeat(phone.length))
    .replace(/\bhttps?:\/\/\S+|\b[\w.+-]{1,64}@[\w.-]{1,255}/g, (address) => " ".repeat(address.length));
};

export interface Clause extends Span {
  readonly text: string;
}

const ends = anyOf(
  /[.?!;](?=\s|$)|\n+|,?\s(?:and also|also,|plus,)\s/gi,
  /[.?!,]\s+(?:also|and)\s(?=(?:is|are|what|which|how|do|can|could|please|list|show|quote)\b)/gi,
);

export const clausesOf = (text: string): readonly Clause[] => {
  const cuts = matchesOf(text, ends).map((match) => ({
    end: match.index + (/^[.?!;]/.test(match[0]) ? 1 : 0),
    next: match.index + match[0].length,
  }));
  const starts = [0, ...cuts.map(({ next }) => next)];
  const stops = [...cuts.map(({ end }) => end), text.length];
  return starts
    .map((start, place) => ({ start, end: stops[place] ?? text.length, text: text.slice(start, stops[place]) }))
    .filter((clause) => /[\p{L}\d]/u.test(clause.text));
};

const conditional = anyOf(
  /\b(?:if|provided|providing|as long as|so long as|unless|assuming|in case|on condition|once)\b/i,
  /\b(?:subject to|only when|when|wenn|falls|sofern|siempre que|pourvu|desde que)\b/i,
);

export const isConditional = (text: string): boolean => conditional.test(text);

/** Up to the end of its sentence; empty without one. */
export const conditionIn = (text: string): string => {
  const at = text.search(conditional);
  return at < 0 ? "" : (text.slice(at).split(/[!?;\n]|\.(?!\d)/)[0] ?? "");
};

/** Without such a word a sentence only mentions what it names. */
const wanting = anyOf(
  /\?|\d/i,
  /\b(?:pric\w*|quot\w*|costs?|rates?|cpms?|much|many|avail\w*|offer|sell|carry|have|show|list|tell)\b/i,
  /\b(?:about|details?|want|need|like|look\w*|interest\w*|mean|instead|rather|prefer|switch|change)\b/i,
  /\b(?:move|shift|extend|shorten|delay|postpone|push|start|end)\b/i,
  /\b(?:talk|try|focus|consider|take|book|reserve|buy|get|back to|return to|revert to)\b/i,
  /\b(?:give|send|make|propos\w*|bid|pay|run|plan|budget|compare)\b/i,
  /\b(?:packages?|target\w*|products?|placements?|inventory|formats?|which|what|how|please|pls)\b/i,
  /\b(?:cheaper|dearer|better|versus|vs|against|differ\w*|contrast|weigh|next to|side by side|space|room|left)\b/i,
  /\b(?:angebot|preis|kostet|verfugbar|precio|cuesta|prix|coute|preco|custa|disponib\w*|cotiza\w*)\b/i,
  /\b(?:devis|orcamento)\b/i,
);

const mostBare = 5;

export const isWanting = (text: string): boolean =>
  wanting.test(text) || (text.match(/[\p{L}\d]+/gu) ?? []).length <= mostBare;

/** Brackets and quoted mail lines are not the caller's own words. */
const foreign = /\[[^\]]{0,500}\]|^>.*$|<[^>]{0,200}>/gm;

export const ownWords = (text: string): string =>
  blanked(
    text,
    matchesOf(text, foreign).map((match) => ({ start: match.index, end: match.index + match[0].length })),
  );

const excluding = anyOf(
  /\b(?:without|excluding|exclud\w+|except(?: for)?|other than)\s+(?:the |any |your |a |an )?/gi,
  /\b(?:anything but|everything but|all but|instead of|rather than)\s+(?:the |any |your |a |an )?/gi,
  /\b(?:besides|apart from|aside from)\s+(?:the |any |your |a |an )?/gi,
  /\b(?:forget(?: about)?|scrap|never mind)\s+(?!it\b|that\b|this\b|all\b|every)(?:the |any |your |a |an )?/gi,
  /\b(?:avoid(?:ing)?|skip(?:ping)?|leav(?:e|ing) out)\s+(?:the |any |your |a |an )?/gi,
  /\bdrop(?:ping)?(?! [^,.;\n]{0,30}\b(?:deal|booking)\b)\s+(?:the |any |your |a |an )?/gi,
  /\b(?:not|won't|aren't) be (?:taking|booking|buying|needing|using)\s+(?:the |any |your |a |an )?/gi,
  /\b(?:minus)\s+(?:the |any |your |a |an )?/gi,
  /\b(?:(?:do ?n[o']?t|do not|not|no longer) (?:want|need|like|use)|not)\s+(?:the |any |your |a |an )?/gi,
  /\b(?:no|ohne|ausser|sin|excepto|menos|sans|sauf|sem|exceto)\s+(?:the |any |your |a |an )?/gi,
);
const notExcluding = anyOf(
  /^(?:more|less|above|over|under|later|earlier|before|after|yet|sure|available|have|sell|offer)\b/i,
  /^(?:really|only|just|so|too|a|one|be|do|to|deal|thanks|problem|rush|idea|need|matter|longer)\b/i,
  /^(?:questions?|i|we|you|it|that|this)\b/i,
);
const untilOf = anyOf(
  /[,;:.?!\n]/i,
  /\b(?:but|instead|i mean|i want|and then|please)\b/i,
  /\b(?:in (?:january|february|march|april|may|june|july|august|september|october|november|december))\b/i,
);

export interface Exclusion extends Span {
  /** Up to the end of its part of the sentence. */
  readonly phrase: string;
  /** The word can only exclude, so what it excludes must be understood. */
  readonly isSure: boolean;
}

export const exclusionsIn = (text: string): readonly Exclusion[] =>
  matchesOf(text, excluding).flatMap((match) => {
    const from = match.index + match[0].length;
    const rest = text.slice(from, from + 80);
    if (notExcluding.test(rest)) return [];
    const stop = rest.search(untilOf);
    const phrase = stop < 0 ? rest : rest.slice(0, stop);
    const isSure =
      /^(?:(?:every|any)thing but|all but|without|exclud|except|other|besides|apart|aside|ohne|sans|sem|sin)/i.test(
        match[0],
      );
    return phrase.trim() === "" ? [] : [{ start: match.index, end: from + phrase.length, phrase, isSure }];
  });

const languages: readonly RegExp[] = [
  anyOf(
    /\b(?:der|die|das|ist|und|fur|bitte|preis|kostet|verfugbar|angebot|wie|wir)\b/gi,
    /\b(?:ich|nicht|buchen|vom|welche\w*|habt|haben|ihr|sie|zu|teuer|zeig\w*|meine)\b/gi,
  ),
  anyOf(
    /\b(?:el|los|las|que|para|por favor|precio|cuanto|cuesta)\b/gi,
    /\b(?:tiene|tienen|disponible|cotizacion|reservar|una|es|mas|caro)\b/gi,
  ),
  /\b(?:le|les|est|pour|combien|prix|coute|quels?|quelles?|avez|au|trop|devis|disponible|s'il|vous|nous|je)\b/gi,
  anyOf(
    /\b(?:qual|preco|quanto|custa|voce|nao|orcamento|disponivel|por favor)\b/gi,
    /\b(?:quais|voces|minhas|ao|muito|em|para|uma|obrigado)\b/gi,
  ),
];

const telling = anyOf(
  /\b(?:kostet|verfugbar\w*|angebot|preis\w*|buchen|reservieren|cuanto|cuesta|precio\w*|cotizacion)\b/i,
  /\b(?:combien|coute|prix|devis|preco\w*|custa|orcamento|nao|impresiones|impressoes)\b/i,
);

/** A language that is not answered in, or not read at all. */
export const isForeign = (said: string): boolean => {
  const text = said.normalize("NFKD").replace(/\p{M}/gu, "");
  const letters = text.match(/\p{L}/gu) ?? [];
  const latin = text.match(/\p{Script=Latin}/gu) ?? [];
  if (letters.length > 0 && latin.length < letters.length / 2) return true;
  if (telling.test(text)) return true;
  return languages.some((words) => new Set(text.toLowerCase().match(words) ?? []).size >= 2);
};
