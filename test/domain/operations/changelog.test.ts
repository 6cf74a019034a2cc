import { describe, expect, test } from "bun:test"
import fc from "fast-check"
import { version } from "../../../package.json"
import {
  changesSince,
  readVersions,
  releasesIn,
  versionBefore,
  withVersion,
} from "../../../src/domain/operations/versions-run.ts"

const CHANGELOG = `# Changelog

For people.

## 0.3.0, not released yet

- Third.

## 0.2.0, 1 March 2027

- Second,
  in two lines.

## 0.1.0, 1 January 2027

- First.
`

describe("what the changelog says since a version", () => {
  test.each([
    ["0.2.0", "0.3.0", ["0.3.0"]],
    ["0.1.0", "0.3.0", ["0.3.0", "0.2.0"]],
    ["0.1.0", "0.2.0", ["0.2.0"]],
    ["0.3.0", "0.3.0", []],
    // Going back brings nothing new.
    ["0.3.0", "0.1.0", []],
    // A version that the changelog does not know.
    ["0.0.9", "0.3.0", ["0.3.0"]],
    ["0.1.0", "9.9.9", []],
  ])("%s to %s: %p", (previous, current, expected) => {
    expect(changesSince(CHANGELOG, previous, current).map((release) => release.version)).toEqual(expected)
  })

  test("is told as it is written", () => {
    expect(changesSince(CHANGELOG, "0.1.0", "0.2.0")).toEqual([
      { version: "0.2.0", text: "- Second,\n  in two lines." },
    ])
  })

  test("includes this version, which comes first", async () => {
    expect(releasesIn(await Bun.file("CHANGELOG.md").text())[0]?.version).toBe(version)
  })
})

describe("the versions that ran", () => {
  test("are kept in order, each once in a row, and the one before is found", () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom("0.1.0", "0.2.0", "0.3.0"), { minLength: 1, maxLength: 60 }), (starts) => {
        const runs = starts.reduce((known, one, i) => withVersion(known, one, String(i)), readVersions(null))
        const last = starts.at(-1) ?? ""
        expect(runs.at(-1)?.version).toBe(last)
        expect(runs.length).toBeLessThanOrEqual(20)
        expect(runs.every((run, i) => run.version !== runs[i + 1]?.version)).toBe(true)
        expect(versionBefore(runs, last)).toBe(starts.findLast((one) => one !== last) ?? null)
        expect(readVersions(JSON.stringify(runs))).toEqual([...runs])
      }),
    )
  })

  test.each(["", "null", "{}", "[1]", '[{"version":1}]'])("%p is no list of them", (stored) => {
    expect(readVersions(stored)).toEqual([])
  })
})
