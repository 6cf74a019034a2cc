import type { Words } from "./of-language.ts"

export const de: Words = {
  common: `der die das den dem des ein eine einen einem einer eines und oder aber von zu zum zur in im am an auf aus bei mit ohne nach vor über unter für um durch gegen seit
    ist sind war waren sein wird werden wurde hat haben hatte kann können soll sollen muss müssen darf will wollen möchte möchten würden wir uns unser unsere unserem unseren
    unserer sie ihr ihre ihren ihrem ihrer ich mich mir mein meine du er es man sich nicht kein keine keinen keinem keiner auch nur noch schon sehr so wie was wer wo wann warum
    wenn dass ob als dann da doch mal gern gerne bitte danke hallo liebe lieber lieben grüße moin guten tag ja nein etwas irgendwas alles alle diese dieser dieses diesem jede
    jeder hier dort bis ab bzw also denn weil sondern statt etwa rund circa ca mehr weniger brauchen brauche suchen sucht suche haette hatten gibt geht`,
  letters: /[äöüß]/i,
  phrases: {
    F: `leser*|hörer*|zuschauer*|kunden|nutzer*|menschen|leute aus, oder nichts, oder gar nichts, nicht nur|über, nichts als|über|außer, nicht mehr|weniger|teurer|höher als, nicht so teuer, nicht teuer, nicht übersteig*, ohne zweifel|weiteres|ausnahme, kein problem, keine eile, wenn|falls möglich, weniger als, mehr oder weniger, gar nicht teuer`,
    n: "nein",
    N: `nichts|nix mit|zu|im|in, kein, keine, keinen, keinem, keiner, keines, keinerlei, keinesfalls, weder, nicht, auf keinen fall, kein interesse|bedarf an, bloß|nur|bitte kein|keine|keinen, finger weg von`,
    X: "ohne, außer, ausser, ausgenommen, mit ausnahme von|der, abgesehen von, außerhalb, statt, anstatt, anstelle von",
    H: "vermeid*, meiden, meidet, ausschließen, ausschließt, ausschließend, auszuschließen, ausschliessen, ausschliesst, ausschliessend, auszuschliessen, ausschluss, ausschlüsse, ausschlussliste, ausspar*, weglassen, nicht vorschlagen|anbieten|zeigen, negativliste, sperrliste",
    A: `ist|sind raus|tabu, ausgeschlossen*, unerwünscht*, tabu, nicht vorgesehen*|geplant*|eingeplant*|gewünscht*|erwünscht*|zugelassen*|erlaubt*|gestattet*|akzeptiert*|genehm*|gefragt, verboten*, untersagt*, gesperrt*, scheidet|scheiden aus, entfällt, entfallen, nicht infrage, nicht in frage|betracht, kommt|kommen nicht infrage, kommt|kommen nicht in frage|betracht, brauchen|wollen|möchten wir nicht,
      interessiert|interessieren uns nicht, lehnen wir ab, bleibt|bleiben außen vor, nein danke`,
    e: "nur, ausschließlich, ausschliesslich, nichts anderes",
    r: "lieber, eher, bevorzugen",
    q: "als, gegenüber",
    b: "aber, sondern, jedoch, allerdings, doch, diesmal, jetzt, heute",
    o: "oder, noch",
    a: "und, sowie",
    K: "ja, kanal, kanäle, werbekanal, werbekanäle, medium, medien, mediengattung, mediengattungen, werbeträger, werbeform, werbeformen, werbemittel, format, formate, gewünscht*, erwünscht*, wunsch, wünsche, gesucht, bevorzugt, erlaubt*, zugelassen*, gefragt, zielgruppe, gebiet, land, länder, markt, märkte, zielmarkt, zielmärkte, region, regionen, zielgebiet, ort, orte, verbreitungsgebiet",
    t: "pre|mid|post roll, preroll*, midroll*, postroll*, lokal*, regional*, national*, bundesweit*, mobil*, online, digital*, kurz*, lang*, wöchentlich*, täglich*, monatlich*, sekunden, sek, woche, wochen, klein*, groß*, gut*, schön*, nett*, neu*, redaktionell*, platzierung, beitrag, beiträge, erwähnung, ausgabe, ausgaben, spot, spots, seite, seiten, halbe, ganze, ganzseitig*, fachlich*, professionell*, budget, etat, test, deutschsprachig*, französischsprachig*, junge*, launch",
    f: "zuerst, einem, einer, eines, etwas, alle, ja, der, die, das, den, dem, des, ein, eine, einen, im, am, an, auf, bei, mit, von, zu, zum, zur, für, um, als, per, bitte, danke, mehr, uns, wir, ich, auch, lieber, eher, generell, überhaupt, jegliche, jeglicher, sind, ist, werden, wird",
    y: "werbung, anzeige, anzeigen, kampagne, kampagnen, paket, pakete, format, formate, kanal, kanäle, medien, werbespots, werbeformate, platzierungen",
  },
  ownPhrases: {
    S: `weg, raus, tot, sind wir durch, nie, niemals, nichts, nix, kaum, stattdessen, anstelle, weniger, haben wir schon|bereits, wir haben schon|bereits, schon|bereits gebucht, ist|sind schon|bereits, bis auf, schluss mit, vergiss, vergessen, verzicht*, zu teuer, die nase voll, weglassen, lassen wir weg, abstand, abgeschworen, gegen, satt, genug von,
      genug bezahlt, ungern, skeptisch, machen wir schon|bereits|selbst, sparen wir uns, schenken wir uns, die finger von, wir die finger, wertlos, euch|sich|ihnen|uns sparen, gar nicht, verschon*, abgehakt, halte ich nichts, halten wir nichts, kann|können warten, einen bogen, weg von, absehen, abzusehen, sehen wir ab,
      loswerden, streich*, gestrichen, verabscheu*, hass*, boykott*, enttäusch*, untersag*, verbiet*, überflüssig, vergeudet, verschwend*, geldverschwendung, reinfall, passé, schlecht, wenig, erledigt, verabschiedet, schnee von gestern, bogen, verpufft, rausgeworfenes, aufgegeben, kostet nur, überzeugt, fällt|fallen weg,
      steigen aus, unübersichtlich`,
    T: `letztes|letzten|letzte|voriges|vorigen jahr|mal|monat|saison|woche|sommer|winter, im vorjahr, frühere|vorherige kampagne*, früher, damals, bisher, ehemals, vor jahren, wettbewerber*, konkurren*, mein|meine|unser|unsere partner*|mann|frau|chef*|neffe|nichte|sohn|tochter|cousin|bruder|schwester|schwager|schwägerin|nachbar*|agentur|kolleg*|freund*|vater|mutter, alle sagen,
      haben wir durch, hatten wir heuer, wenn es nach, ginge es nach, ist wie, empfahl, schlug, meinte, sagt, sagte, riet`,
    U: "wenn, falls, sofern, ob, nicht unbedingt, warum nicht",
    g: "importier*, ansässig in, hergestellt in, sitz in, sitzen|sitzt in, gegründet in, stammt|stammen aus, kommen|kommt aus, wir sind aus, aus, nach",
    W: "suchen, sucht, suche, gesucht, gesucht wird|werden|ist, möchte, möchten, will, wollen, hätte|hätten|hätt gern|gerne, hätt|hätte|hätten ich|wir gern|gerne, brauchen, braucht, brauche, benötig*, wünsch*, gern, gerne, am liebsten, am besten, bevorzugt, idealerweise, ideal, vorzugsweise, interesse an, interessiert an, interessieren uns|sich für, planen, plane, plant, buchen, buche, anbieten, angebot|angebote für, haben sie, habt ihr, gibt es, was gibt es, setzen auf, setzen wir auf, setzen wir diesmal|jetzt|nun auf, entschieden für, vor allem, hauptsächlich, in erster linie, hauptsache, schwerpunkt, wir nehmen, testen, schalten, kampagne mit|für, budget für, bitte um, vorgesehen sind|ist, wäre|wären super|ideal|toll|schön|gut|perfekt|prima|optimal|fein|klasse|großartig|passend|denkbar|möglich, fänd|fände|fänden ich|wir super|gut|toll|schön, bewerb*, gewünscht, erwünscht, erbeten, willkommen, ok, okay, ja gern|gerne, ist|sind ideal|gut|perfekt|willkommen|gewünscht|gesucht|gefragt|super|toll|gesetzt|vorgesehen, wollen|suchen|brauchen wir",
    k: "dass, weil, da, wer, wo, was, welche, welcher, welches, deren, dessen, wie, während, nachdem, bevor, obwohl, damit, solange, sobald, bis, wann",
    z: "ist, sind, war, waren, wird, werden, wurde, wurden, hat, haben, hatte, hatten, kann, können, soll, sollen, muss, müssen, darf, dürfen, bleibt, bleiben, gilt, wäre, wären, würde, würden, sein",
    p: "für, in, im, ins, am, an, auf, bei, beim, mit, von, vom, zu, zum, zur, über, um, rund um, nahe, per, vor, während, zwischen, unter",
  },
  owners: "frau herr herrn unser unsere unseren unserem unserer unseres mein meine meinen",
  channels: `radio: hörfunk*, radiospot*, radiowerb*, radiosend*, radiokampagn*, lokalradio*
    streaming_audio: musikstreaming
    podcast streaming_audio radio: audiowerb*, audiospot*
    ctv: internetfernsehen, fernsehen über das internet, fernsehen übers internet
    linear_tv: linear* fernsehen, lineares tv, klassisch* fernsehen, klassisch* tv
    ctv linear_tv: fernsehen, fernsehspot*, fernsehwerb*, tvspot*
    olv: onlinevideo*, bewegtbild, videowerb*, videokampagn*
    dooh: digitale* außenwerb*, digitale* plakate*, digitale* stelen, digitale* screens, digitale* bildschirme*, infoscreen*
    ooh: plakat*, großfläche*, city light poster*
    ooh dooh: außenwerb*
    display: displaywerb*, displayanzeig*
    social: soziale* medien, soziale* netzwerke*
    influencer: creatorin
    retail_media: gesponserte produkte
    search: suchmaschinenwerb*, suchanzeigen
    cinema: kino, kinos, kinowerb*, kinospot*, kinokampagn*
    print: gedruckt*, gedruckte anzeigen, printanzeig*, printwerb*, printmagazin*, magazin, zeitschrift*, zeitung, zeitungen, tageszeitung, tageszeitungen, zeitungsanzeig*, fachzeitschrift*
    product_placement: produktplatzierung*
    sponsored_intelligence: ki antworten`,
  noChannels: "tv serie, email adresse, videokonferenz, plakativ*",
  videos: "",
  banners: "werbebanner*, displaybanner*",
  guaranteed: "garantierte lieferung, garantierte auslieferung",
  countries: `GB: Nordirland, Großbritannien, Grossbritannien, Vereinigt* Königreich*
    US: Vereinigt* Staaten
    NL: Niederland*
    CZ: Tschechien, Tschechisch* Republik
    AE: Vereinigt* Arabisch* Emirate*
    KR: Südkorea`,
  cities:
    "DE: München, Köln, Nürnberg, Bremen, Dortmund, Kassel, Bielefeld, Bonn, Mannheim, Karlsruhe, Augsburg, Kiel, Lübeck, Erfurt, Rostock, Mainz, Potsdam, Regensburg, Heidelberg, Würzburg; AT: Wien, Klagenfurt, Bregenz; CH: Zürich, Genf, Luzern, Winterthur; IT: Mailand, Rom, Neapel; PT: Lissabon; BE: Brüssel, Antwerpen, Gent; DK: Kopenhagen; PL: Warschau, Krakau; CZ: Prag; RU: Moskau; GR: Athen; CN: Peking; EG: Kairo; FR: Straßburg; LU: Luxemburg-Stadt",
  beforeCountries: "in im für",
  beforeCodes: "ohne außer kein keine nicht für markt märkte land länder",
  notBeforeCountries: "neu",
  money: {
    currencies: "USD: us-dollar; GBP: pfund; CHF: franken",
    thousand: "Tsd\\.?|tsd\\.?|tausend|Tausend",
    to: "bis|und",
    cpm: "tkp|tausend-?kontakt-?preis|pro tausend",
    cpc: "klickpreis|pro klick",
    rate: "(?:netto\\/|pro|je|täglich|monatlich|wöchentlich)(?!\\p{L})|(?:im|am|die|der|das) ?(?:monat|tag|woche|stück)",
    least: "mindestens|mind\\.?|ab|mehr als|über|kostet",
    past: "war|waren",
    each: "pro|je|jede[nrs]?",
    not: "nicht|nichts|kein|keine",
    budgetNouns: "etat(?!s)",
    has: "haben|hätten",
    budget: "investieren|ausgeben|maximal|bis zu|bis|unter|höchstens|weniger als|nicht mehr als|insgesamt",
    spends: "investieren|ausgeben",
    afterBudget: "höchstens|etat|insgesamt|gesamt|nicht mehr|zur verfügung|stehen",
    about: "ca\\.?|etwa|rund|ungefähr|zwischen",
    afterAlone: "netto|brutto|zzgl\\.? mwst\\.?|bitte|für (?!jede).*",
  },
}
