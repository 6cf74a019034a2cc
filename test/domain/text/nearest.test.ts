import { describe, expect, test } from "bun:test"
import { resolveSettings } from "../../../src/config.ts"
import { nearest } from "../../../src/domain/text/short-text.ts"

const KNOWN = ["PORT", "HOST", "DATA", "DATABASE_URL"]

describe("the word that somebody meant", () => {
  test.each([
    ["PROT", "PORT"],
    ["POR", "PORT"],
    ["DTA", "DATA"],
    ["DATABASEURL", "DATABASE_URL"],
    ["SOMETHING_ELSE", undefined],
    ["", undefined],
  ])("%s: %s", (typed, meant) => {
    expect(nearest(typed, KNOWN)).toBe(meant as string)
  })

  test("variables that are no settings are named, those of scripts and tests are not", () => {
    const environment = {
      ADBOOTH_PROT: "1",
      ADBOOTH_KEY: "k",
      ADBOOTH_KEY_ACME: "k",
      ADBOOTH_TEST_X: "1",
      ADBOOTH_ZZZ: "1",
    }
    expect(resolveSettings({}, environment).warnings).toEqual([
      "There is no setting ADBOOTH_PROT; it is ignored. Did you mean ADBOOTH_PORT?",
      "There is no setting ADBOOTH_ZZZ; it is ignored.",
    ])
  })
})
