import { dateWords } from "./dates/words.ts";
import { type Span, spansOf } from "./spans.ts";

const plain = (name: string): string =>
  name.normalize("NFKD").replace(/\p{M}/gu, "").replace(/[’‘]/g, "'").toLowerCase();

const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ".split("");

/** Of every region code, in the languages that are read. */
const countries = ["en", "de", "es", "fr", "pt"].flatMap((language) => {
  const names = new Intl.DisplayNames(language, { type: "region", fallback: "none" });
  return letters.flatMap((first) => letters.flatMap((second) => names.of(first + second) ?? []));
});

const others =
  "great britain,england,scotland,wales,northern ireland,holland,america,europe,europa,scandinavia,benelux,nordics," +
  // States and provinces.
  "alabama,alaska,arizona,arkansas,california,colorado,connecticut,delaware,florida,hawaii,idaho,illinois,indiana," +
  "iowa,kansas,kentucky,louisiana,maine,maryland,massachusetts,michigan,minnesota,mississippi,missouri,montana," +
  "nebraska,nevada,new hampshire,new jersey,new mexico,new york,north carolina,north dakota,ohio,oklahoma,oregon," +
  "pennsylvania,rhode island,south carolina,south dakota,tennessee,texas,utah,vermont,virginia,west virginia," +
  "wisconsin,wyoming,ontario,quebec,british columbia,alberta,bavaria,bayern,baden-wurttemberg,brandenburg,hesse," +
  "hessen,lower saxony,niedersachsen,mecklenburg-vorpommern,nordrhein-westfalen,north rhine-westphalia," +
  "rheinland-pfalz,saarland,saxony,sachsen,sachsen-anhalt,schleswig-holstein,thuringia,thuringen,tirol,tyrol," +
  "catalonia,cataluna,catalunya,andalucia,andalusia,galicia,pais vasco,bretagne,normandie,provence,lombardy,tuscany," +
  // Cities.
  "berlin,hamburg,munich,munchen,cologne,koln,frankfurt,stuttgart,dusseldorf,leipzig,dresden,hannover,hanover," +
  "nuremberg,nurnberg,bremen,dortmund,bonn,vienna,wien,graz,salzburg,zurich,geneva,basel,bern,paris,lyon,marseille," +
  "toulouse,bordeaux,lille,nantes,strasbourg,madrid,barcelona,valencia,sevilla,seville,bilbao,malaga,zaragoza,lisbon," +
  "lisboa,porto,london,manchester,birmingham,glasgow,edinburgh,leeds,liverpool,bristol,dublin,amsterdam,rotterdam," +
  "brussels,antwerp,copenhagen,stockholm,oslo,helsinki,warsaw,prague,budapest,athens,rome,milan,turin,naples," +
  "new york city,los angeles,chicago,houston,phoenix,philadelphia,san antonio,san diego,dallas,san jose,austin," +
  "jacksonville,san francisco,seattle,denver,washington dc,nashville,oklahoma city,el paso,boston,portland,las vegas," +
  "detroit,memphis,baltimore,milwaukee,albuquerque,tucson,sacramento,atlanta,miami,minneapolis,tampa,orlando," +
  "st louis,cleveland,pittsburgh,cincinnati,charlotte,toronto,montreal,vancouver,calgary,mexico city,guadalajara," +
  "monterrey,sao paulo,rio de janeiro,brasilia,salvador,fortaleza,buenos aires,santiago,bogota,lima,sydney,melbourne," +
  "brisbane,perth,tokyo,osaka,mumbai,delhi,bangalore,singapore,hong kong,dubai,istanbul";

/** In small letters they are ordinary words. */
const ordinary = new Set(
  "turkey,chad,jordan,georgia,island,man,reunion,jersey,guinea,mali,togo,niger,phoenix".split(","),
);

const whole = new Set("nationwide,worldwide,bundesweit,deutschlandweit,landesweit,osterreichweit".split(","));

const known: ReadonlySet<string> = new Set([...countries.map(plain), ...others.split(","), ...whole]);
const openings: ReadonlySet<string> = new Set([...known].map((name) => name.split(" ")[0] ?? name));
const mostWords = 4;

const shortForms = new RegExp(
  "(?<![/\\w])(?:US|U\\.S\\.|USA|UK|EU|DACH|LATAM|EMEA|APAC|UAE|NYC|NY|LA|SF|DC|NRW|uk|dach|nrw|nyc)" +
    "(?![/\\w]|\\s?\\$| dollars?\\b)",
  "g",
);

const wordForm = /[\p{L}][\p{L}'.-]*(?<![.'-])/gu;

const knownPlaces = (text: string): readonly Span[] => {
  const words = spansOf(text, wordForm);
  const found: Span[] = [];
  for (const [at, first] of words.entries()) {
    const opening = text.slice(first.start, first.end);
    const isFree = (found.at(-1)?.end ?? 0) <= first.start && !/[/@]/.test(text[first.start - 1] ?? "");
    if (!isFree || !openings.has(opening.toLowerCase())) continue;
    for (let count = mostWords; count > 0; count -= 1) {
      const last = words[at + count - 1];
      if (last === undefined || text[last.end] === "/") continue;
      const name = text.slice(first.start, last.end).toLowerCase();
      const isMeant = !ordinary.has(name) || /^\p{Lu}/u.test(opening);
      if (!known.has(name) || !isMeant) continue;
      found.push({ start: first.start, end: last.end });
      break;
    }
  }
  return found;
};

const title = "\\p{Lu}\\p{Ll}{2,}(?:[\\s-]\\p{Lu}\\p{Ll}{2,})?";
/** A name behind "in". */
const namedPlace = new RegExp(
  `(?<=\\b(?:in|across|throughout|within|geo:?|region:?|em|aus)\\s)(?:the )?${title}`,
  "gu",
);
/** The next of a list of places. */
const nextPlace = new RegExp(`^(?:\\s?,\\s?|\\s?[&/+]\\s?|\\s(?:and|or|und|oder|y|et|e|o|ou)\\s)(${title})`, "u");
/** The end of a list in small letters: "london, leeds and york". */
const lastOfList = /^\s(?:and|und|y|et|e|&)\s(\p{Ll}{3,})(?=\s*(?:[-–.,;:!?]|$))/u;
const noPlace = /^(?:ordnung|kurze|summe|frage|general|total|euro|dollar|phase|flight|addition|advance)/i;

const overlaps = (one: Span, other: Span): boolean => one.start < other.end && one.end > other.start;

/** Places that are known, a name behind "in", and the names listed with them, unless they are dates or `isTaken`. */
export const placesIn = (text: string, isTaken: (words: string) => boolean): readonly Span[] => {
  const isPlace = (words: string): boolean => words.search(dateWords) < 0 && !noPlace.test(words) && !isTaken(words);
  const found = [...knownPlaces(text), ...spansOf(text, shortForms)];
  for (const span of spansOf(text, namedPlace))
    if (!found.some((one) => overlaps(one, span)) && isPlace(text.slice(span.start, span.end))) found.push(span);
  for (const { end } of found) {
    const name = nextPlace.exec(text.slice(end, end + 60));
    const span = {
      start: end + (name?.[0].length ?? 0) - (name?.[1]?.length ?? 0),
      end: end + (name?.[0].length ?? 0),
    };
    if (name !== null && !found.some((one) => overlaps(one, span)) && isPlace(name[1] ?? "")) found.push(span);
  }
  const last = found.length > 1 ? lastOfList.exec(text.slice(found.at(-1)?.end)) : null;
  const from = (found.at(-1)?.end ?? 0) + (last?.[0].length ?? 0) - (last?.[1]?.length ?? 0);
  if (last?.[1] !== undefined && isPlace(last[1])) found.push({ start: from, end: from + last[1].length });
  return found.toSorted((one, other) => one.start - other.start);
};
