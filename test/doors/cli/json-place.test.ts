import { describe, expect, test } from "bun:test"
import { placeOfMistake } from "../../../src/doors/cli/commands/import.ts"

describe("where a text stops being JSON", () => {
  test.each([
    ["a comma too many", "[1,\n 2,, 3]", "in line 2, column 4"],
    ["a comma before the end", '{"a":1,}', "in line 1, column 8"],
    ["a comma too few", '{"a": 1\n "b": 2}', "in line 2, column 2"],
    ["the wrong bracket", "[1}", "in line 1, column 3"],
    ["single quotes", "{'a':1}", "in line 1, column 2"],
    ["a key that is no text", "{1:2}", "in line 1, column 2"],
    ["a colon missing", '{"a" 1}', "in line 1, column 6"],
    ["a word that is none", "[true, nul]", "in line 1, column 8"],
    ["a number that is none", "[01]", "in line 1, column 3"],
    ["a tab in a text", '{"a":"b\tc"}', "in line 1, column 6"],
    ["a comment", "{} // why", "in line 1, column 4"],
    ["a line break in a text", '{"a":"b\nc"}', "in line 1, column 6"],
    ["something after the end", "{}\n}", "in line 2, column 1"],
    ["a file that was cut off", '{"a": [', "at its end, which comes too early"],
    ["nothing at all", "", "at its end, which comes too early"],
  ])("%s", async (_, text, place) => {
    expect(() => JSON.parse(text)).toThrow()
    expect(await placeOfMistake(text)).toBe(place)
  })
})
