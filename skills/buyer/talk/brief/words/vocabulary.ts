export type Pattern = readonly [name: string, pattern: RegExp];

export const objectiveWords: readonly Pattern[] = [
  ["brand_awareness", /\b(?:brand(?:ing)? )?awar(?:e|en)?ness?\b|\bbranding\b/gi],
  ["app_installs", /\b(?:app )?installs?\b/gi],
  ["video_views", /\b(?:video|completed?) views\b|(?<=[,;:.]\s?)views\b/gi],
  ["conversions", /\bconversions?\b/gi],
  ["sales", /\bsales\b/gi],
  ["leads", /\bleads\b|\blead generation\b/gi],
  ["traffic", /\b(?:website |web |site )?traffic\b|\bclicks\b/gi],
  ["consideration", /\bconsideration\b/gi],
  ["engagement", /\bengagement\b/gi],
  ["reach", /\b(?:maximi[sz]e |for |objectives?:? |goal:? )reach\b|\breach\b(?=\s*(?:[,.;]|$|and\b))/gi],
];

export const channelWords: readonly Pattern[] = [
  ["linear_tv", /\blinear[ -]?tv\b/gi],
  ["ctv", /\b(?:ctv|connected[ -]tv|streaming(?: tv)?|tv|television)\b/gi],
  ["display", /\b(?:display|banners?)(?: ads)?\b/gi],
  ["native", /\bnative(?: ads)?\b/gi],
  ["dooh", /\b(?:dooh|digital out[ -]of[ -]home)\b/gi],
  ["audio", /\b(?:audio|podcasts?)\b/gi],
  [
    "mobile_app",
    /\b(?:mobile(?:[ _-]app(?:lication)?s?)?|in-app|in(?:side)? apps|smart ?phones?|(?:on |the |their )+phones)\b/gi,
  ],
  ["video", /\b(?:(?:online )?video|olv|pre-?rolls?|in-?stream(?: video)?)\b/gi],
];

/** What planners call a channel and no seller here is asked for. */
export const unsoldChannels = new RegExp(
  "\\b(?:you ?tube|tik ?tok|facebook|instagram|meta(?= ads?\\b|\\s*[,+&/])|linkedin|snapchat|pinterest|twitter|" +
    "spotify|netflix|" +
    "(?:paid )?search|sea|sem|google(?: ads)?|(?:paid )?social(?: media)?|print|newspapers?|magazines?|cinema|" +
    "radio|e-?mails?|" +
    "newsletters?|influencers?|billboards?|posters|ooh|out[ -]of[ -]home)(?: ads)?\\b(?! (?:fans|users|sign|list))",
  "gi",
);

/** They say nothing that a brief has a place for. */
export const plainWords: ReadonlySet<string> = new Set(
  (
    "a an the of on in for and with to at by from is are be as our us me my i we we'd i'd you your it " +
    "this that please pls hi hello hey thanks thank dear spend spending invest investing put use allocate " +
    "want would like need have has run plan buy launch start new campaign brief budget total cpm price " +
    "ads ad advertising via using should objective objectives goal goals audience target targeting reach " +
    "reaching aimed during over across channels channel dates flight usd dollars about around " +
    "aim aims purpose raise raising cover covers total overall amounts who them whole instead kpi " +
    "client first create details end start begin hold auf senken erhohen away mit also like love extra " +
    "will es est ist obviously definitely think quick one book following push ve gross " +
    "yo hey team got some just so sorry then there oh fine am something anything again n yr nor said asked told " +
    "de del du des da do vom bis al"
  ).split(" "),
);

/** Only these turn the rest of the words, some of which are English words too, into foreign ones. */
const foreignWords =
  "kampagnenname laufzeit aufteilung bisher kurzer langer starten doch " +
  "anade agrega incluye quita elimina saca llamala llamalo necesito hasta tienes ajoute ajoutez retire retirez " +
  "enleve " +
  "supprime adiciona adicionar retira hinzufugen streichen streiche nimm nenne nennen chame nomme appelle " +
  "nein raus rein dazu weg zeitraum kanale bekanntheit erst briefing osterwoche weihnachtswoche navidad noel zeig " +
  "zeige " +
  "nom nombre comprado achete gekauft comprei tout todo tudo kostet warum wartet stornieren " +
  "cuesta cuanto combien coute quanto custa annuler cancelar pourquoi " +
  "fur und ohne nur statt auch zielgruppe markenbekanntheit maximal hochstens tkp genehmigen genehmige aber bitte " +
  "machen daraus lieber nicht kein keine keinen sondern wollen spater fruher alle " +
  "presupuesto dolares maximo tambien mejor aprobar aprueba pero notoriedad objetivo semana sin todos todas " +
  "plutot aussi seulement approuver approuvez notoriete semaine sans tous toutes pour oui " +
  "orcamento melhor tambem apenas aprovar aprove reconhecimento sem sim nao";
const foreign = new RegExp(`\\b(?:pas de|${foreignWords.replaceAll(" ", "|")})\\b`, "i");

/** German, Spanish, French and Portuguese words of a brief, without their accents. */
const inEnglishWords: readonly (readonly [english: string, words: RegExp])[] = [
  ["", /\bde (?=20\d\d\b)/gi],
  ["thousand", /(?<=\d )mil\b/gi],
  ["march", /\bmarco\b/gi],
  ["what costs", /\bwas kostet\b/gi],
  [
    "how much costs",
    /\b(?:wie ?viel kostet|cuanto (?:cuesta|vale|es)|combien (?:coute|ca coute)|quanto (?:custa|fica))\b/gi,
  ],
  ["what bought", /\b(?:was haben wir gekauft|que he(?:mos)? comprado|qu'est-ce que j'ai achete|o que comprei)\b/gi],
  ["why", /\b(?:warum|wieso|weshalb|por ?que|pourquoi)\b/gi],
  ["waits", /\b(?:wartet|espera|attend)\b/gi],
  ["cancel", /\b(?:stornieren?|abbrechen|cancelar|cancela|annuler|annulez)\b/gi],
  ["add", /\b(?:anad[ea]|agrega|incluye|ajoutez?|adicion[ae]r?|hinzufugen)\b/gi],
  ["drop", /\b(?:quita|elimina|saca|retirez?|enleve|supprime[rz]?|retira|streichen?)\b/gi],
  [
    "call it",
    /\b(?:llamal[ao]|llama|appelle[rz]?(?:-la)?|nomme[rz]?(?:-la)?|chame|nennen?(?: (?:wir )?(?:es|sie))?)\b/gi,
  ],
  ["what do you have so far", /\b(?:que tienes hasta ahora|was hast du bisher|qu'est-ce que tu as)\b/gi],
  ["until", /\b(?:hasta(?: el)?|jusqu'au|ate o)\b(?= )/gi],
  ["need", /\b(?:necesito|necesitamos|brauchen?|preciso)\b/gi],
  ["hello", /\b(?:buenos dias|buenas tardes|guten (?:tag|morgen)|bom dia)\b/gi],
  ["name", /\b(?:kampagnenname|nombre de (?:la )?campana|nom de (?:la )?campagne)\b/gi],
  ["dates", /\blaufzeit\b/gi],
  ["split", /\b(?:aufteilung|reparto|repartition)\b/gi],
  ["goes away", /\bdoch nicht\b/gi],
  ["shorter", /(?<=\b(?:tage?|wochen?|monate?) )kurzer\b|(?<=\b(?:dias?|semanas?) )mas cort[oa]s?\b/gi],
  ["longer", /(?<=\b(?:tage?|wochen?|monate?) )langer\b|(?<=\b(?:dias?|semanas?) )mas larg[oa]s?\b/gi],
  ["a week", /\b(?:eine woche|una semana)(?= (?:shorter|longer)\b)/gi],
  ["two weeks", /\b(?:zwei wochen|dos semanas)(?= (?:shorter|longer)\b)/gi],
  ["week of easter", /\bosterwoche\b|\bsemana santa\b/gi],
  ["week of christmas", /\bweihnachtswoche\b|\b(?:semana|semaine) de (?:navidad|noel)\b/gi],
  ["out", /\braus\b/gi],
  ["away", /\bweg\b/gi],
  ["too", /\b(?:rein|dazu)\b/gi],
  ["show", /\b(?:zeigen?|zeig|muestra(?:me)?|montrez?)(?: (?:mir|uns|moi|nous))?\b/gi],
  ["brief", /\b(?:briefing|brief)\b/gi],
  ["dates", /\bzeitraum\b/gi],
  ["channels", /\b(?:kanale|canales|canaux|canais)\b/gi],
  ["brand awareness", /\bbekanntheit\b/gi],
  ["goal", /\b(?:ziel|objetivo|objectif)\b/gi],
  ["campaign", /\b(?:(?:eine|una|une|uma) )?(?:kampagne|campana|campagne|campanha)\b/gi],
  ["we", /\b(?:wir|nosotros|nous)\b/gi],
  ["instead of", /\b(?:statt|anstatt|anstelle von|en lugar de|en vez de|au lieu d[eu]|em vez de)\b/gi],
  ["most expensive", /\b(?:teuersten?|mas caras?|plus cheres?|mais caras?)\b/gi],
  ["cheapest", /\b(?:gunstigsten?|billigsten?|mas baratas?|moins cheres?|mais baratas?)\b/gi],
  [
    "brand awareness",
    /\b(?:markenbekanntheit|(?:notoriedad|reconocimiento|reconhecimento)(?: d[ea] marca)?|notoriete)\b/gi,
  ],
  ["reach", /\b(?:reichweite|alcance|couverture)\b/gi],
  ["traffic", /\b(?:trafico|trafic|trafego)\b/gi],
  ["sales", /\b(?:verkaufe|abverkauf|ventas|ventes|vendas)\b/gi],
  ["conversions", /\b(?:konversionen|conversiones|conversoes)\b/gi],
  ["target", /\b(?:zielgruppe|publico(?:[- ]objetivo| alvo)?|cible|audiencia)\b/gi],
  ["budget", /\b(?:presupuesto|orcamento)(?: d[eo])?\b|\bbudget de\b/gi],
  ["max CPM ", /\b(?:cpm|tkp) (?:maxim[oa]|maximal|max)(?: d[eo]| von| bei)?\s/gi],
  ["max", /\b(?:maximal|hochstens|(?:como )?maxim[oa]|au (?:plus|maximum)|no maximo)\b/gi],
  ["approve", /\b(?:genehmigen?|freigeben|aprobar|aprueba|approuver|approuvez|aprovar|aprove)\b/gi],
  ["all", /\b(?:alle|alles|tod[oa]s?|tout(?:es)?|tous|todo|tudo)\b/gi],
  ["except", /\b(?:ausser|excepto|salvo|sauf|exceto)\b/gi],
  ["without", /\b(?:ohne|sin|sans|sem)\b/gi],
  ["only", /\b(?:nur|solo|solamente|seulement|uniquement|apenas|somente)\b/gi],
  ["also", /\b(?:auch|tambien|ademas|aussi|tambem)\b/gi],
  ["rather", /\b(?:lieber|besser|mejor|plutot|melhor)\b/gi],
  ["make", /\b(?:machen|mach|haz|faites|faca)(?: sie)?\b/gi],
  ["it", /\bdaraus\b/gi],
  ["yes", /\b(?:ja|si|oui|sim)\b/gi],
  ["no", /\b(?:nein|non|nao|kein(?:e[nr]?)?)\b/gi],
  ["not", /\b(?:nicht|pas(?: d[eu])?)\b/gi],
  ["want", /\b(?:wollen|mochten|queremos|voulons)\b/gi],
  ["but", /\b(?:aber|sondern|pero|sino|mais|mas)\b/gi],
  ["a week later", /\b(?:eine woche spater|una semana (?:mas tarde|despues)|une semaine plus tard)\b/gi],
  ["a week later", /\buma semana (?:mais tarde|depois)\b/gi],
  ["a week earlier", /\b(?:eine woche fruher|una semana antes|une semaine plus tot|uma semana antes)\b/gi],
  ["CPM", /\btkp\b/gi],
  ["and", /\b(?:und|y|et|e)\b/gi],
  ["for", /\b(?:fur|para|pour)\b/gi],
  ["with", /\b(?:mit|con|avec|com)\b/gi],
  ["on", /\b(?:en|em|im|auf)\b(?! \d)/gi],
  ["the", /\b(?:der|die|das|den|dem|el|la|las|los|le|les|o|os|as)\b(?! \d)/gi],
];

/** Dates and numbers stay: they are read in all five languages. */
export const inEnglish = (text: string): string =>
  foreign.test(text) ? inEnglishWords.reduce((said, [english, words]) => said.replace(words, english), text) : text;
