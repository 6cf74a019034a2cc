import { expect, test } from "bun:test"
import fc from "fast-check"
import { openings, products } from "../../../../bench/briefs/catalogue.ts"
import { judged } from "../../../../bench/briefs/judged.ts"
import { ask, givenView, idsIn } from "../given.ts"

const territories = Object.fromEntries(openings.map(({ productId, territories: codes }) => [productId, [...codes]]))
const market = () => givenView([...products], territories)
const view = market()
const all = { pagination: { max_results: 100 } }

// Texts of everything that a brief may be made of, and of what nobody would write.
const words = judged.flatMap(({ brief }) => brief.split(" "))
const odd = fc.constantFrom(
  ..."€|$|:|-|–|x|k|%|\n|\u0000|no|not|CPM|2027|KW 12|1.000.000,00|٣٠٠|1e9|?|, or|but|already have".split("|"),
)
const brief = fc.oneof(
  fc.string({ unit: "binary", maxLength: 300 }),
  fc
    .array(
      fc.oneof(fc.constantFrom(...words), odd, fc.nat().map(String), fc.string({ unit: "grapheme", maxLength: 12 })),
      {
        maxLength: 60,
      },
    )
    .map((parts) => parts.join(" ")),
)

test("no brief fails or hides a product, and the same brief gets the same answer", () => {
  const everything = idsIn(ask(view, { buying_mode: "wholesale", ...all })).sort()
  const other = market()
  fc.assert(
    fc.property(brief, (text) => {
      const answer = ask(view, { brief: text, ...all })
      expect(idsIn(answer).sort()).toEqual(everything)
      expect(ask(other, { brief: text, ...all })).toEqual(answer)
    }),
    { numRuns: 40, seed: 15 },
  )
})

test("a brief of the largest length is read like any other", () => {
  for (const unit of ["1 ", "$1k-", "a", "podcast ", "new york ", "no ", "May ", "30 sec ", "\u0301", "qzxvw "]) {
    expect(ask(view, { brief: unit.repeat(1_000_000 / unit.length), ...all }).products).toHaveLength(
      view.products.length,
    )
  }
})
