/** Stems in the languages that buyers write. */
const monthWords: readonly string[] = [
  "jan(?:uary|uar|vier)?|enero|janeiro|gennaio",
  "feb(?:ruary|ruar|rero|braio)?|f[ée]vrier|fevereiro",
  "mar(?:ch|s)?|m[äa]rz|marzo|março",
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

const anyMonth = monthWords.map((words) => `(?:${words})`).join("|");
/** "may" is also a verb. */
export const month = `(?:${anyMonth})(?!\\s+(?:i|we|you|it|be|have|they|also|need|want)\\b)`;
const numberedMonth = monthWords.map((words) => new RegExp(`^(?:${words})$`, "i"));

/** From 1; 0 for none. */
export const monthOf = (text: string): number => numberedMonth.findIndex((pattern) => pattern.test(text.trim())) + 1;

export const weekdays =
  "mon(?:day)?|tue(?:s(?:day)?)?|wed(?:nesday)?|thu(?:rs(?:day)?)?|fri(?:day)?|sat(?:urday)?|sun(?:day)?|" +
  "montag|dienstag|" +
  "mittwoch|donnerstag|freitag|samstag|sonntag|lunes|martes|miercoles|jueves|viernes|sabado|domingo|lundi|mardi|" +
  "mercredi|jeudi|vendredi|samedi|dimanche|segunda|terca|quarta|quinta|sexta";
