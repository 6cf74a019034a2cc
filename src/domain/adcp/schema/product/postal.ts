import { Type } from "@sinclair/typebox"
import * as s from "../../../schema/schema-helpers.ts"
import { PostalSystem } from "../vocabulary.ts"

// Countries with postal systems of their own. Every other country is plain "postal_code" or "custom".
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

export const PostalAreaSupport = Type.Object(
  {
    ...s.optional(Object.fromEntries(Object.entries(systemsByCountry).map(([code, words]) => [code, systems(words)]))),
    ...s.optional(
      s.fields(
        s.Flag,
        "us_zip us_zip_plus_four gb_outward gb_full ca_fsa ca_full de_plz fr_code_postal au_postcode ch_plz",
        "at_plz",
      ),
    ),
    ...otherCountries(),
  },
  { additionalProperties: false },
)

/** Spelled out, because an object can check the names of its fields only when it knows them. */
function otherCountries() {
  const letters = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"]
  const codes = letters.flatMap((first) => letters.map((second) => first + second))
  const others = codes.filter((code) => !(code in systemsByCountry))
  // One shape for all of them: making six hundred would be felt at every start of the program.
  const shape = Type.Optional(systems(elsewhere))
  return Object.fromEntries(others.map((code) => [code, shape]))
}

export const PostalCountrySystem = s.ruled(
  Type.Object({ country: s.Country, system: PostalSystem }),
  Type.Union([
    ...Object.entries(systemsByCountry).map(([code, words]) =>
      Type.Object({ country: Type.Literal(code), system: s.choice(words) }),
    ),
    Type.Object({
      country: Type.Not(s.choice(Object.keys(systemsByCountry).join(" "))),
      system: s.choice(elsewhere),
    }),
  ]),
)
