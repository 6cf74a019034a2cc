import type { Words } from "./of-language.ts"

export const fr: Words = {
  common: `le la les l un une des de du d au aux et ou mais à en dans sur sous pour par avec sans chez vers entre ce cet cette ces c ça cela il elle ils elles on nous vous je
    j tu me m te se s son sa ses leur leurs notre nos votre vos mon ma mes qui que qu quoi dont quand comment pourquoi si ne n pas plus non oui est sont était être sera ont
    avons avez ai as avait peut pouvons faut doit doivent fait faire très aussi bien même tout tous toute toutes autre autres ni rien jamais donc car comme plutôt bonjour bonsoir
    merci cordialement svp y cherchons cherche voulons souhaitons souhaite aimerions serait`,
  letters: /[çœèêàùîôû]/i,
  phrases: {
    F: `ou rien, pas seulement|plus|mal, pas cher*, pas trop cher*, rien contre, pas plus de, non seulement, rien que, ne dépass* pas, sans dépasser, sans doute|problème|exception|attendre, pas de problème|souci, si possible, moins de, au moins, plus ou moins, n hésitez pas, en plus de, de plus`,
    N: "rien sur|avec|de|en, pas de|d|du, pas question|besoin de|d, surtout pas de|d, jamais de|d, aucun, aucune, ni, zéro, exit",
    X: "sans, sauf, hors, hormis, excepté, à l exception|exclusion de|du|des, à part, en dehors de|du|des, au lieu de|du|des|d, plutôt que|qu",
    H: "évite, évitez, éviter, évitons, exclure, excluez, excluons, excluant, ne proposez pas, ne pas proposer|inclure, liste noire|négative",
    A: "exclu, exclus, exclue, exclues, interdit*, proscrit*, refusé*, écarté*, à exclure|éviter|proscrire|bannir, hors de question, non merci, non, non souhait*|prévu*|retenu*|désiré*|voulu*|admis*|autorisé*|accepté*, ne nous intéresse|intéressent pas",
    e: "uniquement, seulement, exclusivement, rien d autre, visons que, cherchons que, voulons que",
    r: "plutôt, mieux, préférons, préfère",
    q: "que, qu",
    b: "mais, maintenant, cette-fois",
    o: "ou",
    a: "et",
    K: "oui, canal, canaux, média, médias, support, supports, format, formats, levier, leviers, souhaité*, voulu*, demandé*, retenu*, autorisé*, accepté*, recherché*, souhait, souhaits, cible, ciblage, à faire, pays, marché, marchés, zone, zones, territoire, territoires, région, régions, cible géographique, diffusion",
    t: "pre|mid|post roll, preroll*, midroll*, postroll*, local*, locaux, régional*, régionaux, national*, mobile, digital*, numérique*, court*, long*, hebdomadaire*, quotidien*, mensuel*, secondes, semaine, semaines, petit*, grand*, bon, bonne, bons, bonnes, nouveau, nouvelle, professionnel*, pro, spécialisé*, pleine, page, pages, demi, numéro, numéros, encart, insertion, mention, budget, test, francophone*, jeune*, spot, spots",
    f: "d'abord, ce, cette, ces, aussi, oui, donc, alors, le, la, les, l, un, une, des, de, du, d, en, dans, à, au, aux, sur, pour, par, svp, s, il, vous, plaît, merci, nous, on, je, surtout, est, sont, toute, tout",
    y: "publicité, publicités, pub, pubs, campagne, campagnes, annonce, annonces, canal, canaux, support, supports",
  },
  ownPhrases: {
    S: `pas, ne, n, jamais, rien, guère, sinon, moins, avons déjà, déjà réserv*|fait|pris|donné, a déjà, est|sont déjà, ailleurs, plus de|d, plus du tout, plus jamais|aucun|aucune, trop cher*, oublie, oublions, oubliez, oublier, renonc*, bannir, soupé, marre, ras le bol, écart*, impasse, contre, très peu pour, se|s en passe*,
      en passera, passez vous en, inutile, inutiles, passera de, de côté, argent jeté, stop, rayé*, épargnez, abstenir, abstenons, abstiendr*, horreur de|d, abandon*, détest*, interdi*, gâchis, dépassé*, déçu*, flop, bouder, boudons, peut|peuvent attendre, laisse froids, mal, perte, relève du passé, fini, adieu, laiss* tomber,
      un trait sur, les dents sur, sortir de, la page de, jeté, yeux de la tête, fuir, fuyons, lassé*`,
    T: "été|hiver|printemps|automne|mois|semaine dernier|dernière, l an dernier, l année dernière, l an passé, le mois dernier, campagne précédente|passée, autrefois, dans le temps, jadis, auparavant, concurren*, mon|ma|notre|nos associé*|mari|femme|patron*|neveu|nièce|fils|fille|cousin*|frère|soeur|voisin*|agence|collègue*|ami|amie|père|mère|beau, on nous a, on m a, s il ne tenait, si c était, si ça ne tenait, c est comme, disait, dit que, proposait",
    U: "si, quand, pas forcément|nécessairement, pourquoi pas",
    g: "importons, importe, importent, basée|basé|basés|basées en|au|à|aux, fabriqué|fabriquée|fabriqués|fabriquées en|au|aux, née|né en|au|aux, siège en|au|aux|à, bureaux en|au|aux|à, venons de|d|du, venus de|d|du, originaire de|d|du, vers, voyages|vols en|au|aux",
    W: "cherchons, cherche, cherchent, recherche, recherchons, recherchent, voulons, veux, veut, veulent, voudrais, voudrait, voudrions, souhaite, souhaitons, souhaitent, souhaiterions, souhaiterais, aimerions, aimerais, aimerait, envie de|d, besoin de|d, nous|me|lui faut, idéalement, idéal, de préférence, visons, vise, visent, intéressé|intéressés|intéressée|intéressées par, avez vous, proposez, proposer, prévoyons, prévoit, optons pour, misons sur, privilégi*, prenez nous, réserver, réservons, acheter, campagne avec|en|sur|pour, budget pour, bascul* sur, bascul* entièrement sur, principalement, avant tout, donnez nous, envoyez nous, trouvez nous, ce sera, serait|seraient|est|sont|sera parfait*|idéal*|bienvenu*|top|super|génial*|souhaité*|apprécié*, souhaité*, nous conviendrait|irait, ferait l affaire, accepté*, auriez vous, lançons",
    k: "qui, dont, quand, comme, parce, lorsque, tant, depuis, pendant, puisque, quoi, comment",
    z: "est, sont, était, étaient, ont, avait, avaient, sera, seront, serait, fut, reste, restent, peut, peuvent, doit, doivent, fait, font, été, être",
    p: "pour, dans, en, sur, à, au, aux, avec, de, du, des, d, près, autour, chez, par, auprès, vers, entre",
  },
  owners: "monsieur madame mme notre nos mon ma",
  channels: `podcast: balado*
    radio: radiophonique
    streaming_audio: audio numérique, audio en ligne, radio en ligne
    ctv: télévision connectée, télé connectée, tv connectée, télé|télévision par|sur internet
    linear_tv: télévision linéaire, tv linéaire
    ctv linear_tv: télé, télévision
    olv: video en ligne
    dooh: affichage numérique, affichage digital, écrans numériques
    ooh: affiche, affiches, abribus, panneau publicitaire, panneaux publicitaires
    ooh dooh: affichage, publicité extérieure
    email: infolettre*, courriel*
    social: réseaux sociaux
    influencer: influenceu*, créateur de contenu, créatrice*, créateurs de contenu
    gaming: vidéo récompensée, vidéo avec récompense
    retail_media: produits sponsorisés
    search: publicité search
    print: presse papier, presse, presse écrite, journaux
    affiliate: affiliation
    product_placement: placement de produit`,
  noChannels: "série tv, jeu vidéo, jeux vidéo, visioconférence",
  videos: "",
  banners: "bannière*, habillage",
  guaranteed: "diffusion garantie",
  countries: `GB: Irlande du Nord, Royaume-Uni, Grande-Bretagne, Angleterre
    US: États-Unis
    NL: Pays-Bas, Hollande
    CZ: République tchèque
    KR: Corée du Sud`,
  cities:
    "GB: Londres, Édimbourg; CH: Genève, Berne, Bâle, Lucerne; DE: Francfort, Hambourg; PT: Lisbonne; BE: Bruxelles, Anvers, Liège, Gand, Namur, Charleroi, Mons; DK: Copenhague; PL: Varsovie; RU: Moscou; ES: Barcelone, Séville; CA: Montréal, Québec, Sherbrooke; DZ: Alger; FR: Villeurbanne, Grenoble, Rennes, Reims, Dijon, Angers, Nîmes, Clermont-Ferrand, Limoges, Amiens, Besançon, Perpignan, Orléans, Rouen, Caen; GR: Athènes",
  beforeCountries: "en au aux pour",
  beforeCodes: "sans sauf pas pour en marché marchés pays",
  notBeforeCountries: "nouvelle",
  money: {
    currencies: "GBP: livres; CHF: francs suisses",
    thousand: "mille",
    to: "à|et",
    cpm: "co[uû]t pour mille",
    cpc: "(?:co[uû]t )?par clic|au clic",
    other: "couronnes",
    rate: "par(?!\\p{L})|(?:le|la|l['’]|à la) ?(?:semaine|mois|jour|envoi|numéro|pièce|unité)",
    least: "au moins|plus de|à partir de|dès|plancher(?: autour)?|coûte",
    past: "était|avait",
    each: "par|chaque",
    not: "pas",
    budgetNouns: "enveloppe",
    has: "avons",
    budget: "investir|dépenser|disposons|jusqu|moins de|pas plus de|au plus|maxi|au total",
    spends: "investir|dépenser",
    afterBudget: "au plus|au maximum|maxi|pas plus|disponibles?|à dépenser|de budget",
    about: "environ|entre",
    afterAlone: "ht|pour (?!chaque).*",
  },
}
