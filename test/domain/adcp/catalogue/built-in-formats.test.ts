import { describe, expect, test } from "bun:test"
import { builtInFormats } from "../../../../src/domain/adcp/catalogue/built-in/index.ts"
import { checkFormat, ownFormats } from "../../../../src/domain/adcp/catalogue/check.ts"
import { addressed } from "../schema/documents.ts"
import { officialComplaints, officialIsHere } from "../schema/official.ts"

const own = ownFormats(builtInFormats)

test("the built-in catalogue has about forty formats of every common kind, each id once", () => {
  expect(own.size).toBe(builtInFormats.length)
  expect(builtInFormats.length).toBeGreaterThanOrEqual(40)
  for (const kind of ["display_", "video_", "audio_", "podcast_", "newsletter_", "native_", "dooh_", "ooh_"]) {
    expect([...own.keys()].filter((id) => id.startsWith(kind)).length).toBeGreaterThan(0)
  }
})

test.each(builtInFormats.map((format) => [format.format_id.id, format] as const))(
  "%s is a good format",
  (_, format) => {
    expect(checkFormat(format, own)).toEqual([])
    expect(format.canonical?.kind).toBeString()
    expect(format.description).toBeString()
  },
)

describe.skipIf(!officialIsHere)("against the official schemas", () => {
  test.each(["media-buy", "creative"])("the whole catalogue is a valid %s answer", (variant) => {
    const formats = builtInFormats.map((format) => addressed(format))
    const answer = { adcp_version: "3.1", status: "completed", formats }
    expect(officialComplaints(`${variant}/list-creative-formats-response.json`, answer)).toEqual([])
  })
})
