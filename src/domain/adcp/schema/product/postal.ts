import { Type } from "@sinclair/typebox"
import { Country, choice, Flag, optional, ruled } from "../../../schema/schema-helpers.ts"
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

const systems = (words: string) => Type.Array(choice(words), { minItems: 1, uniqueItems: true })

export const PostalAreaSupport = Type.Object(
  {
    ...optional(Object.fromEntries(Object.entries(systemsByCountry).map(([code, words]) => [code, systems(words)]))),
    ...optional({
      us_zip: Flag,
      us_zip_plus_four: Flag,
      gb_outward: Flag,
      gb_full: Flag,
      ca_fsa: Flag,
      ca_full: Flag,
      de_plz: Flag,
      fr_code_postal: Flag,
      au_postcode: Flag,
      ch_plz: Flag,
      at_plz: Flag,
    }),
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

export const PostalCountrySystem = ruled(
  Type.Object({ country: Country, system: PostalSystem }),
  Type.Union([
    ...Object.entries(systemsByCountry).map(([code, words]) =>
      Type.Object({ country: Type.Literal(code), system: choice(words) }),
    ),
    Type.Object({
      country: Type.Not(choice(Object.keys(systemsByCountry).join(" "))),
      system: choice(elsewhere),
    }),
  ]),
)
