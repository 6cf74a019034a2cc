import { expect, test } from "bun:test"
import { join } from "node:path"
import { readBrief } from "../../../../src/domain/adcp/brief/reading/read-brief.ts"

const text = await Bun.file(join(import.meta.dir, "traps.txt")).text()
const traps = text
  .split("\n")
  .filter((line) => line !== "" && !line.startsWith("#"))
  .map((line) => {
    const [, brief = "", ...rest] = line.split(/ (?<!\\)\|(?: |$)/)
    const channelsOf = (kind: string) =>
      rest
        .find((part) => part.trim().startsWith(`${kind} `))
        ?.trim()
        .slice(kind.length + 1)
        .split(" ")
        .filter((channel) => !channel.endsWith("?")) ?? []
    const written = brief.replaceAll("\\n", "\n").replaceAll("\\|", "|")
    return { brief: written, no: channelsOf("no"), trap: channelsOf("trap"), yes: channelsOf("yes") }
  })

test("what is not wanted is refused or quoted, and neither it nor what is no channel is understood", () => {
  const wrong = traps.filter(({ brief, no, trap, yes }) => {
    const { channels, without, notInterpreted } = readBrief(brief)
    const isInverted = [...no, ...trap].some((channel) => channels.includes(channel))
    const isSilent = notInterpreted.length === 0 && no.some((channel) => !without.channels.includes(channel))
    return isInverted || isSilent || [...trap, ...yes].some((channel) => without.channels.includes(channel))
  })
  expect(wrong.map(({ brief }) => brief)).toEqual([])
  expect(traps.length).toBeGreaterThan(130)
})

test("most of what is wanted beside it is understood", () => {
  const wanted = traps.flatMap(({ brief, yes }) => yes.map((channel) => readBrief(brief).channels.includes(channel)))
  expect(wanted.filter(Boolean).length / wanted.length).toBeGreaterThan(0.6)
})
