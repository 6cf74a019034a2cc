import { describe, expect, test } from "bun:test"
import type { Command } from "commander"
import { COMMANDS } from "../../../src/doors/cli/commands/all.ts"
import type { CliContext } from "../../../src/doors/cli/context.ts"
import { isGroup } from "../../../src/doors/cli/help.ts"
import { commandLine } from "../../../src/doors/cli/index.ts"

const HELP_COLUMNS = 80
const HIDDEN = ["help"]

const program = commandLine({ io: { columns: () => null } } as CliContext, COMMANDS)

function everyCommand(command: Command): Command[] {
  const below = command.commands.filter((one) => !HIDDEN.includes(one.name()))
  return [command, ...below.flatMap(everyCommand)]
}

const commands = everyCommand(program).map((command) => {
  const help = command.helpInformation()
  const [, examples = ""] = help.split("\nExamples:\n")
  return { usage: help.slice(0, help.indexOf("\n")), command, help, examples }
})

/** The words of a line, as a shell would split them, up to what is done with the output. */
function wordsOf(line: string): string[] {
  const words = line.match(/"[^"]*"|'[^']*'|\S+/g) ?? []
  const end = words.findIndex((word) => ["|", ">", "<"].includes(word))
  return end < 0 ? words : words.slice(0, end)
}

describe("the help", () => {
  test.each(commands)(
    "$usage fits into 80 columns, marks what is required, and has no loose ends",
    ({ command, help }) => {
      const [text = ""] = help.split("\nExamples:\n")
      const lines = text.split("\n").filter((line) => !line.startsWith("Usage:"))
      expect(lines.filter((line) => Bun.stringWidth(line) > HELP_COLUMNS)).toEqual([])
      for (const { flags } of command.options.filter(({ mandatory }) => mandatory))
        expect(text).toMatch(new RegExp(`^Usage: .*${RegExp.escape(flags)} `))
      expect(help).not.toContain("undefined")
      expect(help).toEndWith("\n")
    },
  )

  test.each(commands)("$usage has examples", ({ examples }) => {
    expect(examples).toContain("  adbooth ")
  })

  const lines = commands.flatMap(({ examples }) =>
    [...examples.matchAll(/^ {2}(adbooth .*)$/gm)].map(([, line = ""]) => [line]),
  )

  test.each(lines)("%s: its commands and options exist, and none is missing", (line) => {
    const [, ...words] = wordsOf(line)
    let command = program
    while (words.length > 0) {
      const below = command.commands.find((one) => one.name() === words[0])
      if (below === undefined) break
      command = below
      words.shift()
    }
    expect(isGroup(command)).toBe(false)
    const given = words.filter((word) => /^--?[a-z]/.test(word))
    const known = command.options.flatMap(({ long, short }) => [long, short])
    expect(given.filter((name) => !known.includes(name))).toEqual([])
    const needed = command.options.filter(({ mandatory }) => mandatory).map(({ long }) => long ?? "")
    expect(needed.filter((name) => !given.includes(name))).toEqual([])
    const values = command.options.filter(({ long, required }) => required && given.includes(long ?? "")).length
    const left = words.length - given.length - values
    const least = command.registeredArguments.filter(({ required }) => required).length
    expect(left).toBeGreaterThanOrEqual(least)
    expect(left).toBeLessThanOrEqual(Math.max(command.registeredArguments.length, left - 1))
  })
})
