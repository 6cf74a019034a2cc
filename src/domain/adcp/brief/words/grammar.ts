// How the languages of briefs say that something is not wanted. Words count as they are written, without regard to accents; phrases are
// separated by commas. What is governed, and how far, `reading/unwanted.ts` reads by these roles.

export const languages = ["en", "de", "fr", "es", "nl", "sv", "da", "nb", "fi"] as const
export type Language = (typeof languages)[number]

export type Role =
  /** Negates what follows; where nothing does, what stands before it. Ends at a comma, unless "or" closes the list. */
  | "not"
  /** Takes away what follows, or what stands before it, with all of a list. Together with "not" it says the contrary. */
  | "except"
  /** Takes away what stands before it: "excluded". */
  | "after"
  /** The same as the end of a word: "podcast-free". */
  | "suffix"
  /** Whatever was negated before, this is not: "but", "only", "not only". */
  | "but"
  /** Says what is wanted, once something else is negated. */
  | "want"
  | "and"
  | "or"
  /** Joins what a thing is about to the thing. */
  | "of"
  /** Says where, for whom or how: no part of what is negated, unless nothing else is. */
  | "in"

type Words = Readonly<Partial<Record<Role, string>>>

export const grammar: Readonly<Record<Language, Words>> = {
  en: {
    not: "no, not, never, none, nothing, neither, nobody, cannot, don't, dont, doesn't, won't, can't, isn't, aren't, wouldn't, shouldn't, couldn't, didn't, zero, nowhere",
    except:
      "without, except, except for, excluding, exclude, excludes, excl, excepting, exempting, avoid, avoiding, avoids, skip, skipping, omit, omitting, other than, anything but, all but, everything but, everywhere but, anywhere but, any but, all bar, everything bar, anything bar, channels bar, against, everyone but, every country but, apart from, aside from, outside, outside of, leave out, leaving out, leave aside, keep out of, keep us out of, stay away from, stay out of, steer clear of, keep away from, rule out, drop, ban, block, minus, save for, with the exception of, instead of, rather than, as opposed to, refrain from, hate, dislike, forget, forget about",
    after:
      "excluded, excepted, exempt, off limits, off the table, out of the question, ruled out, unwanted, banned, blocked, forbidden, prohibited, taboo, aside, are out, is out, a no go, no go, not an option, not welcome, not wanted, not needed, not required, not for us, left out",
    suffix: "free",
    but: "but, only, just, instead, rather, not only, not just, not merely, nothing but, none but, nothing other than, nothing except, no one but, however, though, although, yet, while, whereas, not necessarily, not a must, not essential, no preference, no matter, not sure, not yet, why not, or not, if not, no problem, no worries, no idea, not before, not until, not later than, no later than",
    want: "want, wants, need, needs, prefer, prefers, preferably, like, love, looking, seek, seeking, please, use, run, buy, go, give, show, yes, ok, okay, fine, welcome, is, are, we, our",
    and: "and, as well as, plus, &, +, and also",
    or: "or, nor, and or",
    of: "of, about, on, with, around, regarding, concerning, related, like, such as, e g, including, featuring, covering, the, a, any, all, other",
    in: "in, for, to, at, from, into, within, during, by, across, among, who, that, which, because, since, as, so, near",
  },
  de: {
    not: "nicht, kein, keine, keinen, keiner, keinem, keines, nie, niemals, nichts, weder, keinesfalls, keineswegs, nirgends, auf keinen fall, nein",
    except:
      "ohne, außer, ausser, ausgenommen, ausser in, abgesehen von, mit ausnahme von, mit ausnahme der, mit ausnahme des, bis auf, exklusive, exkl, ausschließen, ausschliesst, schliessen, vermeiden, meiden, weglassen, auslassen, streichen, verzichten, verzichtet, verzicht auf, außerhalb, außerhalb von, alles andere als, alles nur nicht, statt, anstatt, anstelle von, raus, rauslassen, weg mit, weg von, fernhalten, sperren, ablehnen, lehnen, sind gegen, bin gegen",
    after:
      "ausgeschlossen, tabu, unerwünscht, verboten, gesperrt, scheidet aus, scheiden aus, nicht in frage, nicht infrage, fällt weg, fallen weg, fällt aus, fallen aus, entfällt, entfallen, kein thema, ein no go, sind raus, ist raus, nicht erwünscht, nicht gewünscht, nicht gewollt, nicht nötig, nicht erforderlich",
    suffix: "frei, freie, freien, freier, freies",
    but: "aber, sondern, jedoch, doch, dafür, stattdessen, lieber, vielmehr, nur, ausschließlich, lediglich, allein, nicht nur, nicht bloß, nichts als, nichts anderes als, nicht unbedingt, nicht zwingend, kein muss, keine präferenz, egal, oder nicht, noch nicht, kein problem, nicht vor, nicht später als",
    want: "wollen, will, möchten, möchte, suchen, suche, brauchen, benötigen, bevorzugen, bevorzugt, gern, gerne, bitte, ja, schon, wir, ist, sind",
    and: "und, sowie, plus, und auch",
    or: "oder, noch, bzw, beziehungsweise",
    of: "von, vom, über, mit, rund um, rund ums, zu, zum, zur, wie, etwa, insbesondere, der, die, das, den, dem, des, einen, eine, ein, jegliche, alle, andere, anderen, umfeld, auf",
    in: "in, im, für, fürs, an, am, aus, nach, bei, beim, ab, bis, während, durch, weil, da, als, der für",
  },
  fr: {
    not: "pas, zéro, aucun, aucune, jamais, rien, ni, non, nulle part, point de",
    except:
      "sans, sauf, hors, hormis, excepté, excepte, exceptés, excluant, exclure, contre, exclut, excluons, excluez, à l'exception de, à l'exception du, à l'exception des, à l'exclusion de, à l'exclusion du, à l'exclusion des, mis à part, à part, en dehors de, en dehors du, en dehors des, hors de, éviter, évitons, évitez, évite, évitant, oublier, oublions, oubliez, bannir, écarter, supprimer, retirer, au lieu de, au lieu du, au lieu des, plutôt que, autre que, autres que, autre chose que, tout sauf, tout mais pas",
    after:
      "exclu, exclus, exclue, exclues, interdit, interdits, interdite, interdites, écarté, écartés, écartée, écartées, banni, bannis, à éviter, à exclure, à proscrire, proscrit, proscrits, hors de question, indésirable, indésirables, ne nous intéresse pas, ne nous intéressent pas, non merci",
    but: "mais, seulement, uniquement, exclusivement, plutôt, non seulement, pas seulement, pas uniquement, pas que, rien que, rien d'autre que, cependant, en revanche, pas forcément, pas nécessairement, peu importe, ou non, ou pas, pas encore, pas de problème, pas de préférence, pas avant, pas plus tard",
    want: "voulons, veux, voudrions, souhaitons, cherchons, cherche, préférons, préfère, aimons, svp, oui, est, sont, nous, on",
    and: "et, ainsi que, et aussi",
    or: "ou, ni",
    of: "de, du, des, d, sur, avec, à propos, autour, concernant, liés, le, la, les, l, un, une, tout, toute, tous, toutes, ceux, celles, celui, celle, comme, tels que, au sujet",
    in: "en, dans, pour, à, au, aux, chez, par, vers, car, parce, qui, que, pendant, depuis, jusqu",
  },
  es: {
    not: "no, ni, cero, ningún, ninguna, ninguno, nunca, jamás, nada, tampoco",
    except:
      "sin, excepto, salvo, menos, excluir, excluyendo, excluye, excluimos, exceptuando, a excepción de, a excepción del, con excepción de, con la excepción de, aparte de, fuera de, fuera del, evitar, evitamos, evitando, eviten, evita, descartar, descartamos, prescindir de, prescindimos de, omitir, eliminar, quitar, todo menos, cualquiera menos, en vez de, en lugar de, distinto de, distintos de, que no sea, que no sean, olvidar, en contra de",
    after:
      "excluido, excluidos, excluida, excluidas, descartado, descartados, descartada, descartadas, prohibido, prohibidos, prohibida, prohibidas, vetado, vetados, no deseado, no deseados, a evitar, ni hablar, no nos interesa, no nos interesan, no interesa, no interesan, no gracias",
    but: "pero, sino, solo, sólo, solamente, únicamente, exclusivamente, más bien, no solo, no sólo, no solamente, no únicamente, nada más que, nada mas que, nada menos que, ninguno más que, aunque, en cambio, no necesariamente, no importa, o no, más o menos, aún no, por qué no, sin preferencia, no antes de",
    want: "queremos, quiero, quisiéramos, buscamos, busco, necesitamos, preferimos, prefiero, sí, es, son, nosotros, favor",
    and: "y, e, así como, además de",
    or: "o, u, ni",
    of: "de, del, sobre, con, acerca, relacionados, como, el, la, los, las, lo, un, una, unos, unas, todo, toda, todos, otro, otros, traten, trate",
    in: "en, para, a, al, por, desde, hasta, hacia, porque, que, durante",
  },
  nl: {
    not: "geen, niet, nooit, niets, nergens, noch, nee, niks",
    except:
      "zonder, behalve, uitgezonderd, met uitzondering van, exclusief, uitsluiten, vermijden, vermijd, mijden, overslaan, buiten, weglaten, laat weg, anders dan, alles behalve, in plaats van, schrappen, afgezien van, op na",
    after:
      "uitgesloten, verboden, taboe, ongewenst, niet gewenst, niet welkom, geen optie, niet aan de orde, valt af, vallen af, niet nodig",
    suffix: "vrij, vrije",
    but: "maar, alleen, slechts, enkel, uitsluitend, liever, juist, wel, niet alleen, niet enkel, niets dan, niets anders dan, niet per se, maakt niet uit, geen voorkeur, of niet, nog niet",
    want: "willen, wil, zoeken, zoekt, nodig, graag, ja, is, zijn, we, wij",
    and: "en, evenals, alsook, plus",
    or: "of, noch",
    of: "van, over, met, rond, rondom, zoals, de, het, een, alle, andere, enige",
    in: "in, voor, naar, aan, bij, uit, op, te, tijdens, omdat, want, die",
  },
  sv: {
    not: "inte, ingen, inga, inget, aldrig, varken, ej, icke, nej, ingenting",
    except:
      "utan, utom, förutom, med undantag för, exklusive, undvik, undvika, undviker, uteslut, utesluta, utanför, hoppa över, allt utom, istället för, i stället för, bortsett från, slippa, välja bort, annat än, andra än, skippa",
    after:
      "uteslutet, uteslutna, utesluten, undantaget, undantagna, förbjudet, förbjudna, tabu, bortvalda, är uteslutet, inte aktuellt, inte aktuella, inte önskvärt, går bort",
    suffix: "fri, fria, fritt",
    but: "men, bara, endast, enbart, hellre, snarare, inte bara, inte endast, inget annat än, ingenting annat än, inga andra än, dock, däremot, inte nödvändigtvis, spelar ingen roll, eller inte, inte än",
    want: "vill, söker, behöver, gärna, tack, ja, är, vi",
    and: "och, samt, plus, liksom",
    or: "eller",
    of: "av, om, med, kring, som, den, det, de, en, ett, alla, andra, på",
    in: "i, för, till, från, hos, vid, under, eftersom",
  },
  da: {
    not: "ikke, ingen, intet, aldrig, hverken, ej, nej, ingenting",
    except:
      "uden, undtagen, undtaget, bortset fra, med undtagelse af, eksklusive, eksklusiv, undgå, undgår, udelad, udelade, udeluk, udelukke, uden for, udenfor, spring over, alt andet end, alt undtagen, i stedet for, fravælg, andet end, andre end, drop",
    after:
      "udelukket, udelukkede, forbudt, tabu, uønsket, uønskede, fravalgt, ikke relevant, ikke aktuelt, ikke på tale, kommer ikke på tale",
    suffix: "fri, frit, frie",
    but: "men, kun, bare, udelukkende, blot, hellere, derimod, ikke kun, ikke bare, ikke blot, intet andet end, ikke andet end, ingen andre end, ikke nødvendigvis, ligegyldigt, eller ej, ikke endnu",
    want: "vil, søger, ønsker, gerne, tak, ja, er, vi",
    and: "og, samt, plus",
    or: "eller",
    of: "af, om, med, omkring, som, den, det, de, en, et, alle, andre, på",
    in: "i, for, til, fra, hos, ved, under, fordi",
  },
  nb: {
    not: "ikke, ingen, intet, ingenting, aldri, verken, hverken, nei",
    except:
      "uten, unntatt, bortsett fra, med unntak av, eksklusive, unngå, unngår, utelat, utelate, utelukk, utelukke, utenfor, utenom, hopp over, alt annet enn, alt unntatt, i stedet for, istedenfor, velg bort, annet enn, andre enn, dropp",
    after:
      "utelukket, forbudt, tabu, uønsket, uønskede, valgt bort, ikke aktuelt, ikke aktuelle, ikke på tale, kommer ikke på tale, ikke ønsket",
    suffix: "fri, fritt, frie",
    but: "men, kun, bare, utelukkende, heller, derimot, ikke bare, ikke kun, ikke annet enn, ingenting annet enn, ingen andre enn, ikke nødvendigvis, spiller ingen rolle, eller ikke, ikke ennå",
    want: "vil, søker, ønsker, gjerne, takk, ja, er, vi",
    and: "og, samt, pluss",
    or: "eller",
    of: "av, om, med, rundt, som, den, det, de, en, et, alle, andre, på",
    in: "i, for, til, fra, hos, ved, under, fordi",
  },
  fi: {
    not: "ei, eikä, emme, älkää, älä, eivät, eivätkä, ei mitään, ei koskaan",
    except:
      "ilman, paitsi, lukuun ottamatta, lukuunottamatta, pois lukien, poislukien, vältä, välttää, vältetään, vältämme, jätä pois, jätetään pois, muut kuin, muuta kuin, muualla kuin, kaikki paitsi, kaikkialla paitsi",
    after:
      "poissuljettu, poissuljetut, suljettu pois, suljetaan pois, kielletty, kiellettyjä, ei käy, eivät käy, ei tule kysymykseen, eivät tule kysymykseen, ulkopuolella, sijaan, sijasta, ei kiitos, ei haluta",
    suffix: "vapaa, vapaata",
    but: "mutta, vaan, vain, ainoastaan, pelkästään, mieluummin, ei vain, ei pelkästään, ei ainoastaan, ei muuta kuin, ei mitään muuta kuin, ei välttämättä, ei väliä, tai ei",
    want: "haluamme, haluan, etsimme, tarvitsemme, mielellään, kiitos, kyllä, on, ovat, me",
    and: "ja, sekä",
    or: "tai, eikä, eivätkä",
    of: "koskevia, koskevaa, liittyviä, liittyvää, kuten, muita, muuta, mitään, haluta, halua, haluamme",
    in: "varten, koska, joka, jotka",
  },
}

/** Words and letters that tell a language, where a brief has few others. */
export const languageMarks: Readonly<Record<Language, string>> = {
  en: "i don wouldn isn doesn aren the with our under germany austria switzerland spain france britain states listeners thousand next month want ads budget",
  de: "woche monat deutschland österreich oesterreich schweiz spanien frankreich großbritannien italien werbung kampagne höchstens tkp tausenderkontaktpreis klickpreis kw zielgruppe hörer fernsehen kino außenwerbung plakate ß ü ä ö",
  fr: "semaine mois allemagne autriche espagne royaume belgique italie suisse publicité campagne bannières affichage coût inférieur abribus recettes prochain é è ê ç à",
  es: "semana mes españa alemania francia reino unidos méxico italia suiza publicidad campaña presupuesto boletines cine pantallas hasta oyentes ñ í ó á ú",
  nl: "duitsland oostenrijk nederland belgië frankrijk spanje reclame campagne nieuwsbrief nieuwsbrieven advertentie maximaal buitenreclame televisie luisteraars",
  sv: "sverige tyskland norge danmark frankrike spanien reklam kampanj nyhetsbrev annonser högst poddar podd lyssnare utomhusreklam å ä ö",
  da: "danmark tyskland sverige frankrig spanien reklame kampagne nyhedsbrev nyhedsbreve annoncer højst lyttere udendørsreklame å ø æ",
  nb: "norge tyskland sverige frankrike spania reklame kampanje nyhetsbrev annonser høyst podkast podkaster lyttere utendørsreklame å ø æ",
  fi: "suomi suomessa saksa saksassa ruotsi ruotsissa mainos mainonta kampanja uutiskirje enintään podcasteja radiota kuuntelijat ulkomainonta ä ö",
}
