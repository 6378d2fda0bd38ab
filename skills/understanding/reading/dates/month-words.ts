/** Stems in the languages that buyers write. */
const monthWords: readonly string[] = [
  "jan(?:uary|uar|vier)?|enero|janeiro|gennaio",
  "feb(?:ruary|ruar|rero|braio)?|f[ée]vrier|fevereiro",
  "mar(?:ch|s)?|m[äa]rz|marzo|março|marco",
  "apr(?:il|ile)?|abril|avril",
  "may|mai|mayo|maio|maggio",
  "june?|juni|juin|junio|junho|giugno",
  "july?|juli|juillet|julio|julho|luglio",
  "aug(?:ust)?|ao[ûu]t|agosto",
  "sept?(?:ember|iembre|embre|embro)?",
  "oct(?:ober|obre|ubre)?|okt(?:ober)?|outubro|ottobre",
  "nov(?:ember|embre|iembre|embro)?",
  "dec(?:ember)?|dez(?:ember|embro)?|diciembre|d[ée]cembre|dicembre",
];

const opening = "in|for|of|during|until|till|from|to|through|thru|by|mid|early|late|and|this|next|em|en|im|de|do";
const subject = "i|we|you|it|they|he|she|who|which|that|this|there|client|team|brand|budget";
const verb =
  "i|we|you|it|be|have|they|also|need|want|not|well|still|take|concern|interest|affect|change|differ|go|add|the|use";
/** "May" is also a verb, and Marco a name. */
const ambiguous: Readonly<Record<string, string>> = {
  may: `(?<=\\b(?:${opening})\\s)may|(?<!\\b(?:${subject})\\s)may(?!\\s+(?:${verb})\\b)`,
  marco: "(?<=\\b(?:em|de|do|ate|a|e)\\s)marco",
};

const anyMonth = monthWords
  .flatMap((words) => words.split(/\|(?![^(]*\))/))
  .map((word) => ambiguous[word] ?? word)
  .join("|");
export const month = `(?:${anyMonth})`;
const numberedMonth = monthWords.map((words) => new RegExp(`^(?:${words})$`, "i"));

/** From 1; 0 for none. */
export const monthOf = (text: string): number => numberedMonth.findIndex((pattern) => pattern.test(text.trim())) + 1;

export const weekdays =
  "mon(?:day)?|tue(?:s(?:day)?)?|wed(?:nesday)?|thu(?:rs(?:day)?)?|fri(?:day)?|sat(?:urday)?|sun(?:day)?|" +
  "montag|dienstag|" +
  "mittwoch|donnerstag|freitag|samstag|sonntag|lunes|martes|miercoles|jueves|viernes|sabado|domingo|lundi|mardi|" +
  "mercredi|jeudi|vendredi|samedi|dimanche|segunda|terca|quarta|quinta|sexta";
