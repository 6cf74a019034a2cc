import { expect, test } from "bun:test"
import fc from "fast-check"
import { ask, givenProduct, givenView } from "../given.ts"
import type { Json } from "../schema/answers.ts"

// Holds each sentence and each match against its product, with words of its own: nothing here is taken from the reader.
const channels = { podcast: "podcasts", radio: "radio", email: "newsletters", cinema: "cinema" } as const
const names: Readonly<Record<string, string>> = {
  podcast: "podcast",
  radio: "radio",
  email: "email newsletter",
  cinema: "cinema",
}
const countries = { DE: "Germany", FR: "France", GB: "the UK", ES: "Spain" } as const
const some = <Key extends string>(of: Readonly<Record<Key, string>>, minLength = 0) =>
  fc.uniqueArray(fc.constantFrom(...(Object.keys(of) as Key[])), { minLength, maxLength: 2 })

const product = fc.record({
  channels: some(channels, 1),
  territories: fc.oneof(
    some(countries, 1).map((codes): string[] => codes),
    fc.constant<string[]>(["*"]),
  ),
  price: fc.integer({ min: 1, max: 60 }),
  least: fc.integer({ min: 100, max: 9_000 }),
})
const asked = fc.record({
  channels: some(channels),
  countries: some(countries),
  refused: fc.option(fc.constantFrom(...(Object.keys(channels) as (keyof typeof channels)[]))),
  budget: fc.option(fc.integer({ min: 300, max: 9_000 })),
  cpm: fc.option(fc.integer({ min: 1, max: 60 })),
})

test("each sentence and each match states what its product is", () => {
  let sentences = 0
  fc.assert(
    fc.property(fc.array(product, { minLength: 1, maxLength: 6 }), asked, (own, wish) => {
      const wanted = wish.channels.filter((channel) => channel !== wish.refused)
      const brief = [
        wanted.map((channel) => channels[channel]).join(" and "),
        wish.countries.map((code) => `in ${countries[code]}`).join(", "),
        wish.refused === null ? "" : `no ${channels[wish.refused]}`,
        wish.budget === null ? "" : `budget ${wish.budget} EUR`,
        wish.cpm === null ? "" : `CPM up to ${wish.cpm} EUR`,
      ].filter(Boolean)
      const view = givenView(
        own.map((each, at) => {
          const price = { pricing_option_id: "o", pricing_model: "cpm", currency: "EUR", fixed_price: each.price }
          const options = [{ ...price, min_spend_per_package: each.least }]
          return givenProduct(`p${at}`, { channels: each.channels, pricing_options: options })
        }),
        Object.fromEntries(own.map((each, at) => [`p${at}`, each.territories])),
      )
      for (const { product_id, brief_relevance: said = "", ext } of ask(view, { brief: brief.join(". ") })
        .products as Json[]) {
        const each = own[Number(product_id.slice(1))] as (typeof own)[number]
        const matches = ext.adbooth.matches ?? {}
        const isShown = (code: string) => each.territories.includes("*") || each.territories.includes(code)
        const isRefused = each.channels.every((channel) => channel === wish.refused)
        const hasChannel = each.channels.some((channel) => wanted.includes(channel))
        const truth = {
          ...(wanted.length > 0 ? { channel: hasChannel } : isRefused ? { channel: false } : {}),
          ...(wish.countries.length > 0 ? { country: wish.countries.some(isShown) } : {}),
          ...(wish.cpm === null ? {} : { price: each.price <= wish.cpm }),
          ...(wish.budget === null ? {} : { budget: each.least <= wish.budget }),
        }
        expect([brief, matches]).toEqual([brief, truth])
        if (said === "") continue
        sentences++
        expect([brief, said, said.startsWith("Not wanted: ")]).toEqual([brief, said, isRefused])
        if (isRefused) continue
        const parts = said
          .slice(0, -1)
          .toLowerCase()
          .replace(/(\d),(\d)/g, "$1$2")
        for (const channel of wanted) expect(parts.includes(names[channel] ?? "")).toBe(each.channels.includes(channel))
        if (truth.country !== undefined)
          expect(/(?:^|, )not shown in/.test(parts) ? false : /shown (?:in|everywhere)/.test(parts)).toBe(truth.country)
        expect(parts.includes(`minimum ${each.least} eur`)).toBe(wish.budget !== null)
        expect(parts.includes("above the budget")).toBe(truth.budget === false)
        expect(parts.includes(`${each.price} eur cpm`)).toBe(wish.cpm !== null)
        expect(parts.includes("too high")).toBe(truth.price === false)
      }
    }),
    { numRuns: 400, seed: 7 },
  )
  expect(sentences).toBeGreaterThan(300)
})
