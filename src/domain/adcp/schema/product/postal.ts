import { Type } from "@sinclair/typebox"
import * as s from "../../../schema/schema-helpers.ts"
import { LegacyPostalSystem, PostalSystem } from "../vocabulary.ts"

// Countries with their own postal systems. Every other country has "postal_code" or "custom".
const systemsByCountry = {
  US: "zip zip_plus_four",
  GB: "outward full",
  CA: "fsa full",
  DE: "plz",
  CH: "plz",
  AT: "plz",
  FR: "code_postal",
  AU: "postcode",
  BR: "cep",
  IN: "pin",
  ZA: "postal_code",
}
const elsewhere = "postal_code custom"

const systems = (words: string) => s.nonEmptySet(s.choice(words))
// One shared shape: building six hundred slows every start of the program.
export const PostalElsewhere = systems(elsewhere)

export const PostalAreaSupport = s.closed({
  ...s.optional(Object.fromEntries(Object.entries(systemsByCountry).map(([code, words]) => [code, systems(words)]))),
  ...s.optional(Object.fromEntries(LegacyPostalSystem["enum"].map((name: string) => [name, s.Flag]))),
  ...otherCountries(),
})

/** Listed one by one, because a closed object accepts only the fields it lists. */
function otherCountries() {
  const letters = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"]
  const codes = letters.flatMap((first) => letters.map((second) => first + second))
  const others = codes.filter((code) => !(code in systemsByCountry))
  const shape = Type.Optional(PostalElsewhere)
  return Object.fromEntries(others.map((code) => [code, shape]))
}

export const PostalCountrySystem = s.ruled(
  Type.Object({ country: s.Country, system: PostalSystem }),
  Type.Union([
    ...Object.entries(systemsByCountry).map(([code, words]) =>
      Type.Object({ country: Type.Literal(code), system: s.choice(words) }),
    ),
    Type.Object({ country: Type.Not(s.choice(Object.keys(systemsByCountry).join(" "))), system: s.choice(elsewhere) }),
  ]),
)
