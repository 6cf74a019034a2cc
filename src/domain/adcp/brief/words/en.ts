import type { Words } from "./of-language.ts"

export const en: Words = {
  common: `the a an and or but of to in on at for from with without by as is are was were be been being it its this that these those we us our you your they
    them their he she his her i me my who whom which what when where why how if then than so not no nor neither any all some more most other such only also just very too
    do does did have has had will would can could should may might must about into over under up out off between during before after while there here yes please hi hello
    thanks thank dear regards don dont doesnt isnt arent wont cant id ill ive youre let lets get got make need want like looking rather each every both per via s t`,
  letters: /(?!)/,
  phrases: {
    F: `readers|listeners|viewers|people|customers|audience from, or nothing, not only|just|above|over, nothing but|over|above|less, dont|not mind, dont|not hesitate, cant|cannot do without, no better, no|not more|less|higher|greater than, not to exceed, not exceed*, must not exceed, no|zero problem|rush|doubt|hurry|limit|preference|brainer,
      without doubt|exception|delay, without a doubt, if possible, if you can, if you have, let me|us know if, less than, more or less, at least, last minute, bus stop, not to mention, cant wait, looking forward, no matter, nothing fancy, no later than`,
    n: "no, nope",
    N: "neither, nor, zero, minus, not, nothing|nix with|about|on|in, not interested in, no interest|need|appetite in|for, not|dont|doesnt want|need, do not want|need, not keen on, rather not, no more",
    X: "without, except, except for, with the exception of, anything|everything|everywhere|all but, other than, apart from, outside of, instead of, in place of, rather than",
    H: `avoid, avoiding, avoids, exclude, excludes, excluding, exclusion, exclusions, excl, skip, skipping, omit, leave|leaving out, stay|keep|keeping away from, steer clear of, not|dont suggest|propose|include|show|send|offer|use|recommend, do not suggest|propose|include|show|send|offer|use|recommend, no go, no gos,
      blacklist, blocklist, negative list|lists`,
    A: "excluded, is|are out|taboo, is|are out of the question, off the table, is|are not an option, not an option, is|are a no go, off limits, not|un wanted|desired|accepted|allowed|permitted|approved|acceptable|requested|required, unwanted, undesired, prohibited, forbidden, banned, blocked, denied, disallowed, rejected, not planned|foreseen|intended, no thanks, no thank you",
    e: "only, solely, exclusively, nothing else, no use to us, no use for",
    r: "rather, sooner, prefer, prefers, preferred",
    q: "than, over, versus, vs",
    b: "but, however, although, whereas, now, this time, so",
    o: "or, nor",
    a: "and, plus",
    K: "yes, channel, channels, media, medium, format, formats, wanted, want, wants, request, requested, required, requirement, requirements, must have, nice to have, preferred, desired, allowed, permitted, approved, include, included, includes, asked for, looking for, wish, wishes, geo, geos, market, markets, country, countries, territory, territories, region, regions, target, targeting, audience, location, where, mediatype, media type, inventory type",
    t: "pre|mid|post roll, preroll*, midroll*, postroll*, short, long, local, regional, national, nationwide, mobile, online, digital, printed, weekly, daily, monthly, morning, evening, weekday, weekend, host, read, post, posts, story, stories, page, pages, half, full, second, seconds, sec, minute, week, weeks, small, big, good, nice, mention, network, networks, site, sites, web, show, shows, issue, issues, professional, trade, partner, partners, content, new, budget, test, brand, premium, vertical, live, young, german, english, speaking",
    f: "first, yes, well, then, the, a, an, any, anything, all, more, other, kind, kinds, sort, of, such, for, in, on, at, to, with, by, as, via, please, thanks, thank, thx, you, me, us, we, i, our, this, time, again, either, whatsoever, is, are, be, will, still, also, just, some",
    y: "ad, ads, spot, spots, advert, adverts, advertising, advertisement, advertisements, campaign, campaigns, launch, bit, mix, inventory, package, packages, placement, placements, format, formats, channel, channels, media, medium, option, options, sponsorship, sponsorships, slot, slots",
  },
  ownPhrases: {
    S: `last thing, cut, cutting, kill, dead, please keep, never, of no use, none, nothing, nobody, hardly, unless, instead, besides, cannot, cant, dont, doesnt, didnt, isnt, arent, wasnt, werent, wont, wouldnt, couldnt, shouldnt, havent, hasnt, mustnt, aint, already have|booked|running|covered|done, covered already, have already booked, are|is already, already did,
      is|are finished, elsewhere, save for, no longer, no to, too expensive|pricey|costly, less, fewer, ruled out, rule out, ruled the following out, swore, had it, had enough, had our fill, fill of, fed up, sick of, tired of, done with, to death, out of scope, not for, refrain, veto*, boycott*, spare us|me, hmm, no way,
      skeptical, sceptical, opposed, against, allergic, sooner, do without, wasted on, waste of, pointless, useless, worthless, away from, keep it|them away, off limits, gave up on, get rid of, leave us cold, leaves us cold, i doubt, you can keep, and i quit, one more, count us out, moved on, moving away, walked away, hold the,
      strike the, resist the, out of it, well out of, anything but, rather than, forget, forget about, stop, stopped, drop, dropped, dropping, ditch*, axe, axed, scrap, quit, quitting, hate, hates, loathe*, dislike*, despise*, detest*, refus*, reject*, declin*, oppos*, ban, bans, block, shelve*, outgrown, abandon*, omit*,
      resist, lesson, phase out, overrated, waste, wasted, wasteful, creeps, burned, burnt, bore, bores, boring, flop*, fail*, disappoint*, can wait, stretch, bad taste, badly, run its course, belongs to the past, binned, break from, parted ways, a miss, meh, nah, ugh, fell flat, weaning, crossed off, had our, tried, done,
      giving up`,
    T: `last year|time|month|season|summer|winter|spring|autumn|fall|week, in the past, used to, years ago, year ago, years in, back then, back in, in the 80s|90s|nineties|eighties, previous|former campaign*, previously, formerly, we did, i did, we ran, we tried, i tried, competitor*, competition, rival, rivals, people say, they say, says, said, told, suggested,
      proposed, recommended, swears by, if it were, if it was, were it up to, up to me, it is like, its like, would have, had we, kind of like, our own ceo, my|our ceo|nan|partner|husband|wife|boss|nephew|niece|son|daughter|cousin|brother|sister|uncle|neighbour|neighbor|agency|accountant|colleague|friend|father|mother|founder, the agency before, last agency`,
    U: "if, whether, in case, not necessarily, why not, or maybe not",
    g: "import, imports, importing, made|based|headquartered|founded|produced|grown|born|registered|imported|office in|from, offices in, we are|were from, comes|come|coming from, from, flights|trips|travel|travels|travelling|travellers|travelers|holidays|fly|flying|flies|export|exports|move|moving to",
    W: "want, wants, wanting, need, needs, needing, would|d like|love|welcome|consider|prefer|choose, id like|love, keen to, keen on, looking for|at|to, look for, on the lookout for, were|are|is|am after, seek, seeks, seeking, searching for, in search of, interested in, interest in, hoping to|for, hope to|for, aiming to|for, aim for, plan to, plans to, planning, going for, go for|with, opt for, opting for, choose, chose, decided on, settled on, request, requests, requesting, asks for, asking for, asked specifically for, ideally, ideal, mostly, mainly, primarily, preferably, focus on, please offer|send|show|propose|recommend|suggest|quote|find|book|include|use, show|send|offer|give|get|find|quote|book me|us, to book|buy|run|sponsor, promot*, advertise on|in|with|through|via, budget for|on, do you have|sell|offer, have you got|any, what do you have|offer, can|could you offer|do, preferred, welcome, both fine|welcome|ok, fine, ok, acceptable, accepted, would suit|do|work, lets have|do|try, would be great|ideal|perfect|nice|good|lovely|fine|best|brilliant|wonderful|fantastic|super, is|are fine|good|ideal|perfect|great|welcome|best|wanted|requested|required|essential, is|are a must, sounds|sound good|great|ideal",
    k: "who, whom, whose, which, that, what, when, where, how, because, since, while, like, as, unlike, so that, until, once",
    z: "is, are, be, will, was, were, has, have, had, do, does, did, being, been, would, could, should, might, may, can, became, become, remains, seems, looks, feels",
    p: "for, in, on, at, with, about, around, near, across, throughout, by, via, of, to, during, within, through, before, behind, inside, among, between, aimed at",
  },
  owners: "our my their his her mr mrs ms",
  channels: `podcast: podcast*
    radio: radio, radios, fm radio
    streaming_audio: streaming audio, audio|music|musique|música|musik en|im|in|per|als|por|de stream|streaming, audio streaming, streamed audio, web radio, webradio, online radio, internet radio, digital audio, online audio, music streaming
    podcast streaming_audio radio: audio, audio ads
    ctv: ctv, connected tv, internet tv, tv|television over|on|via the internet, smart tv, smarttv, connected television, streaming tv, tv streaming, ott, addressable tv
    linear_tv: linear, linear tv, linear television, broadcast tv, broadcast television, free tv
    ctv linear_tv: tv, television
    olv: online video*, olv, video ads, instream*, in stream, youtube
    dooh: dooh, digital out of home, digital outdoor, digital billboard*, digital screens, digital signage
    ooh: ooh, billboard*, poster, posters, bus shelter*, hoarding*
    ooh dooh: out of home, outdoor advertising
    email: newsletter*, email, emails, e mail, e mails, e mailing, emailing, mailing, mailings
    display: display
    social: social, social media, social ads, instagram, tiktok, facebook, snapchat, linkedin, pinterest, story ads
    influencer: influencer*, content creator*, creator, creators
    gaming: gaming, in game, ingame, rewarded video*
    retail_media: retail media*, sponsored product*
    search: paid search, search only, only search, search ads, search engine advertising, google ads
    cinema: cinema, cinemas, movie theater*, movie theatre*
    print: print, on paper, newsprint, magazine, magazines, newspaper, newspapers
    affiliate: affiliate*
    product_placement: product placement
    sponsored_intelligence: ai answers, ai assistants, chatbot ads`,
  noChannels:
    "amateur radio, ham radio, radio amateur*, radio ham*, display case, display cases, tv set, tv sets, tv series, social club, social worker, social impact, social security, email address, poster child, screen time, magazine rack, video game*, video call, video calls, video conferencing, print shop, printing, sea level, im presse, poster frame, social distancing",
  videos: "video, videos",
  banners: "banner*, leaderboard*, skyscraper*, mpu, display banner*",
  guaranteed:
    "guaranteed delivery, guaranteed inventory, guaranteed deals, guaranteed buys, guaranteed volume, guaranteed only, only guaranteed, buy guaranteed",
  countries: `GB: United Kingdom, Northern Ireland, Great Britain, Britain, England, UK, British Isles
    US: United States, United States of America, USA
    NL: Netherlands, the Netherlands, Holland
    CZ: Czech Republic, Czechia
    TR: Turkey
    AE: United Arab Emirates, UAE, Emirates
    KR: South Korea
    DE AT CH: DACH, D-A-CH, DACH-Region, DACH region`,
  cities:
    "GB: Manchester, Liverpool, Leeds, Glasgow, Edinburgh, Cardiff, Belfast, Sheffield, Nottingham, Bristol, Newcastle, Leicester, Southampton, Brighton; IE: Galway, Limerick, Cork, Waterford; US: New York, Los Angeles, Chicago, San Francisco, Seattle, Boston, Miami, Philadelphia, Houston, Dallas, Denver, Detroit, Las Vegas, Austin, Atlanta, Nashville, Minneapolis, Pittsburgh, Baltimore, Phoenix, San Diego; CA: Toronto, Montreal, Vancouver, Calgary, Ottawa, Edmonton, Winnipeg, Quebec City; AU: Sydney, Melbourne, Brisbane, Adelaide, Canberra, Hobart; NZ: Auckland, Wellington, Christchurch, Dunedin; ZA: Cape Town, Durban; IN: Mumbai, Delhi, Bangalore; DE: Berlin, Hamburg, Munich, Frankfurt, Stuttgart, Dresden, Leipzig, Hannover, Nuremberg, Düsseldorf; AT: Salzburg, Innsbruck, Graz, Linz; CH: Geneva, Basel, Bern, Lausanne, Lucerne; FR: Lyon, Marseille, Toulouse, Nantes, Strasbourg, Lille, Montpellier; ES: Madrid, Barcelona, Seville, Bilbao, Zaragoza, Málaga; MX: Mexico City, Monterrey; AR: Buenos Aires; CO: Medellín; IT: Milan, Turin, Naples, Bologna, Palermo, Verona, Venice; PT: Lisbon, Porto, Braga, Coimbra; NL: Rotterdam, Utrecht, Eindhoven, The Hague; BE: Antwerp, Ghent, Bruges; SE: Gothenburg, Malmö, Uppsala; PL: Krakow, Gdańsk, Wrocław, Poznań; TR: Ankara; RU: Moscow; UA: Kyiv; MA: Rabat; IL: Tel Aviv; JP: Osaka; CN: Beijing, Shanghai; BR: São Paulo, Rio de Janeiro",
  beforeCountries: "in to within across throughout inside for",
  beforeCodes: "without except no not in geo geos market markets country countries territory territories region",
  notBeforeCountries: "new papua latin",
  money: {
    currencies: "EUR: euro, euros, teur; USD: dollar, dollars; GBP: pound, pounds",
    thousand: "thousand",
    to: "to|and",
    cpm: "per (?:thousand|mille|1[.,]?000)",
    cpc: "per click",
    otherUnit: "per (?:lead|sale|view|install|order)",
    other: "rand|dirhams?|pesos?|kron(?:or|er|en|a)|z[lł]ot\\p{L}+|reais|yen|rupees?|lei|forint|lira",
    rate: "(?:per|each|apiece|daily|weekly|monthly)(?!\\p{L})|an? (?:day|week|month|issue|episode|piece|year|pop)|the (?:day|week|month)",
    least: "at least|minimum|min\\.?|from|over|more than|above|floor(?: price)?(?: around)?|worth|costs?",
    past: "was|were|spent",
    each: "per|each|every",
    not: "not?|nothing",
    budgetNouns: "budget",
    has: "have|got",
    budget:
      "spend|spending|invest|up to|max|maximum|at most|tops|cap|capped|under|below|less than|no more than|not more than|nothing over|nothing above|total|all in|in all",
    spends: "spend|invest",
    afterBudget:
      "budget|max|maximum|tops|at most|or less|total|in total|all in|available|no more|to spend|(?:is|as) (?:the|our) (?:limit|max|most|ceiling)",
    about: "about|around|approx\\.?|circa|some|roughly|max\\.?|between",
    afterAlone: "net|gross|all in|please|for (?!each|every|an? (?!month|week|quarter|year)).*",
  },
}
