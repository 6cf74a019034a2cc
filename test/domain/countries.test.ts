import { expect, test } from "bun:test"
import { COUNTRY_CODES, codeOfCountry, countryNames, nameOfCountry } from "../../src/domain/countries.ts"
import { readTerritories } from "../../src/domain/keys/opening.ts"

test("every country is found by its own name, whatever the case and accents", () => {
  expect(countryNames()).toHaveLength(COUNTRY_CODES.size)
  for (const code of COUNTRY_CODES)
    expect([code, codeOfCountry(nameOfCountry(code).toUpperCase())]).toEqual([code, code])
  expect([codeOfCountry("cote d'ivoire"), codeOfCountry("Nowhere"), nameOfCountry("XX")]).toEqual([
    "CI",
    undefined,
    "XX",
  ])
})

test("countries are typed by name or code, with commas between them; codes also with spaces", () => {
  expect(readTerritories("Germany, at;United Kingdom, fr ch")).toEqual({
    ok: true,
    codes: ["DE", "AT", "GB", "FR", "CH"],
  })
  expect(readTerritories("*")).toEqual({ ok: true, codes: ["*"] })
  expect(readTerritories("")).toEqual({ ok: true, codes: [] })
  expect(readTerritories("Germany, UK").ok).toBe(false)
})
