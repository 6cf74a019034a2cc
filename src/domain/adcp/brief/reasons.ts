import { memoize } from "../../memoize.ts"
import type { Money } from "./reading/money.ts"
import { channelNameIn } from "./words/channel-names.ts"
import type { Language } from "./words/languages.ts"

// Reasons in the language of the brief: facts of the product beside what the brief asks for. {0} and {1} are gaps.

const rows: Readonly<Record<Language, string>> = {
  en: "open=“ | close=” | opened=opened in {0} | everywhere=opened everywhere | notOpened=not opened in {0} | cpm=CPM {0} | cpc=CPC {0} | cpmFloor=CPM floor {0} | cpcFloor=CPC floor {0} | flat=flat price {0} | flatFloor=flat price from {0} | least=costs at least {0} | within={0}, within {1} | above={0}, above {1} | until=offered until {0} | mentions=mentions {0} | unwanted=not wanted: {0} | banners=banners only | onlyIn=opened only in {0} | more={0} and {1} more",
  de: "open=„ | close=“ | opened=freigegeben für {0} | everywhere=überall freigegeben | notOpened=nicht freigegeben für {0} | cpm=TKP {0} | cpc=CPC {0} | cpmFloor=TKP-Mindestgebot {0} | cpcFloor=CPC-Mindestgebot {0} | flat=Festpreis {0} | flatFloor=Festpreis ab {0} | least=kostet mindestens {0} | within={0}, innerhalb von {1} | above={0}, über {1} | until=angeboten bis {0} | mentions=erwähnt {0} | unwanted=nicht gewünscht: {0} | banners=nur Banner | onlyIn=nur für {0} freigegeben | more={0} und {1} weitere",
  fr: "open=«\u00a0 | close=\u00a0» | opened=ouvert pour {0} | everywhere=ouvert partout | notOpened=pas ouvert pour {0} | cpm=CPM {0} | cpc=CPC {0} | cpmFloor=CPM plancher {0} | cpcFloor=CPC plancher {0} | flat=prix forfaitaire {0} | flatFloor=prix forfaitaire à partir de {0} | least=coûte au moins {0} | within={0}, dans la limite de {1} | above={0}, au-dessus de {1} | until=proposé jusqu'au {0} | mentions=mentionne {0} | unwanted=non souhaité : {0} | banners=bannières seulement | onlyIn=ouvert seulement pour {0} | more={0} et {1} autres",
  es: "open=« | close=» | opened=abierto en {0} | everywhere=abierto en todas partes | notOpened=no abierto en {0} | cpm=CPM {0} | cpc=CPC {0} | cpmFloor=CPM mínimo de subasta {0} | cpcFloor=CPC mínimo de subasta {0} | flat=precio fijo {0} | flatFloor=precio fijo desde {0} | least=cuesta al menos {0} | within={0}, dentro de {1} | above={0}, por encima de {1} | until=ofrecido hasta el {0} | mentions=menciona {0} | unwanted=no deseado: {0} | banners=solo banners | onlyIn=abierto solo en {0} | more={0} y {1} más",
}

const NAMES_MAX = 4
const REMEMBERED = 1_000

export type Reasons = ReturnType<typeof reasonsFor>

const known: Partial<Record<Language, Reasons>> = {}

/** In the language of a brief, or in English where that is not certain. */
export function reasonsIn(language: Language = "en"): Reasons {
  const reasons = known[language] ?? reasonsFor(language)
  known[language] = reasons
  return reasons
}

function reasonsFor(language: Language) {
  const texts = new Map(rows[language].split(" | ").map((row) => row.split(/=(.*)/s) as [string, string]))
  const say = (name: string, ...parts: string[]) =>
    (texts.get(name) ?? "").replace("{0}", parts[0] ?? "").replace("{1}", parts[1] ?? "")
  const names = new Intl.DisplayNames(language, { type: "region", fallback: "code" })
  // To ask for a name or to format a number takes longer than all else that is done with it.
  const nameOf = memoize(REMEMBERED, (code: string) => names.of(code) ?? code)
  const countries = (codes: readonly string[]) => {
    const all = codes.map(nameOf)
    const first = all.slice(0, NAMES_MAX).join(", ")
    return all.length > NAMES_MAX ? say("more", first, String(all.length - NAMES_MAX)) : first
  }
  const numbers = new Intl.NumberFormat(language, { maximumFractionDigits: 3, useGrouping: "always" })
  const number = memoize(REMEMBERED, (value: number) => numbers.format(value))
  const amount = (value: number, currency: string) => `${number(value)} ${currency}`
  const quoted = (words: readonly string[]) => words.map((word) => `${say("open")}${word}${say("close")}`).join(", ")
  const limited = (text: string, value: number, { most, currency }: Money) =>
    say(value <= most ? "within" : "above", text, amount(most, currency))
  return {
    language,
    amount,
    countries,
    quoted,
    channels: (channels: readonly string[]) => channels.map((channel) => channelNameIn(language, channel)).join(", "),
    opened: (codes: readonly string[]) => say("opened", countries(codes)),
    everywhere: () => say("everywhere"),
    notOpened: (codes: readonly string[]) => say("notOpened", countries(codes)),
    price: (model: "cpm" | "cpc", isFloor: boolean, value: number, limit: Money) =>
      limited(say(`${model}${isFloor ? "Floor" : ""}`, amount(value, limit.currency)), value, limit),
    spend: (kind: "flat" | "flatFloor" | "least", value: number, limit: Money) =>
      limited(say(kind, amount(value, limit.currency)), value, limit),
    until: (day: string) => say("until", day),
    mentions: (words: readonly string[]) => say("mentions", quoted(words)),
    /** What a product is that the brief does not want. */
    unwanted: (words: readonly string[], channels: readonly string[], codes: readonly string[], isFormat: boolean) =>
      say(
        "unwanted",
        [
          ...channels.map((channel) => channelNameIn(language, channel)),
          ...(isFormat ? [say("banners")] : []),
          ...(words.length > 0 ? [quoted(words)] : []),
          ...(codes.length > 0 ? [say("onlyIn", countries(codes))] : []),
        ].join(", "),
      ),
    sentence: (facts: readonly string[]) => {
      const text = facts.join("; ")
      return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}.`
    },
  }
}
