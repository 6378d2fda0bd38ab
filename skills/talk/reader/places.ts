import { isOneOf } from "./word-lists.ts";
import { type EntityReader, wordsEntity, type Words } from "./entity.ts";
import { isKnown, isOf, valueOf } from "./lexicon.ts";
import { type Token, withoutAccents } from "./tokens.ts";

const plain = (name: string): string => withoutAccents(name).replace(/[’‘]/g, "'").toLowerCase();

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

const shortForms: ReadonlySet<string> = new Set(
  "US USA UK EU DACH LATAM EMEA APAC UAE NYC NY LA SF DC NRW uk dach nrw nyc usa".split(" "),
);

const geo = (from: number, to: number, tokens: readonly Token[]): Words => wordsEntity("geo", from, to, tokens);

const isTitle = (token: Token | undefined): boolean => token?.kind === "word" && /^\p{Lu}\p{Ll}{2,}/u.test(token.text);

const isName = (token: Token | undefined): boolean =>
  isTitle(token) && token !== undefined && !isKnown(token.word) && valueOf(token, "month") === undefined;

/** Places that are known, and a name behind "in" or in a list of places. */
export const placeAt: EntityReader = ({ tokens, owners }, at) => {
  const token = tokens[at];
  if (token?.kind !== "word" || isOneOf(tokens[at + 1]?.word ?? "", "office team desk branch buro")) return null;
  const isMoney = tokens[at + 1]?.text === "$" || tokens[at + 1]?.word === "dollars";
  const isPath = tokens[at - 1]?.text === "/" || (tokens[at + 1]?.text === "/" && tokens[at + 1]?.isGlued === true);
  if (shortForms.has(token.text) && !isMoney && !isPath) return geo(at, at + 1, tokens);
  if (openings.has(token.word)) {
    for (let to = Math.min(at + mostWords, tokens.length); to > at; to -= 1) {
      const name = tokens
        .slice(at, to)
        .map(({ word }) => word)
        .join(" ")
        .replace(/ - /g, "-");
      if (known.has(name) && (!ordinary.has(name) || isTitle(token)) && !(name === "may" || isKnown(name)))
        return geo(at, to, tokens);
    }
  }
  const lead = tokens[at - 1];
  const isLed = isOneOf(lead?.word ?? "", "in across throughout within geo region market markets");
  const isListed = isOneOf(lead?.text ?? "", ", & / +") || isOf(lead, "and");
  const isNext = isListed && owners[at - 2]?.kind === "geo";
  if ((!isLed && !isNext) || !isName(token)) return null;
  return geo(at, isName(tokens[at + 1]) && tokens[at + 1]?.isFirst !== true ? at + 2 : at + 1, tokens);
};
