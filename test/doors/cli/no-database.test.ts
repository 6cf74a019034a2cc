import { Database } from "bun:sqlite"
import { describe, expect, test } from "bun:test"
import { mkdirSync, readdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import type { Command } from "commander"
import { COMMANDS } from "../../../src/doors/cli/commands/all.ts"
import type { CliContext } from "../../../src/doors/cli/context.ts"
import { isGroup } from "../../../src/doors/cli/help.ts"
import { commandLine } from "../../../src/doors/cli/index.ts"
import { markAsOurs } from "../../../src/storage/sqlite/engine/open.ts"
import { temporaryFolder } from "../../harness.ts"
import { adbooth } from "./in-process.ts"

// What may make a database where there is none.
const CREATING = ["serve", "import", "backup restore", "move"]
// What works without one.
const WITHOUT = ["report", "help", "backup check"]

/** Commands that do something, each with the words that lead to it. */
function leaves(command: Command, words: readonly string[] = []): [string, Command][] {
  const below = command.commands.flatMap((one) => leaves(one, [...words, one.name()]))
  return isGroup(command) ? below : [[words.join(" "), command], ...below]
}

const VALUES: Readonly<Record<string, string>> = {
  "--email": "a@b.example",
  "--role": "member",
}

/** Whatever the command cannot do without, so that it comes to looking for its database. */
function argumentsOf(command: Command): string[] {
  const needed = command.registeredArguments
    .filter(({ required }) => required)
    .map(({ argChoices }) => argChoices?.at(-1) ?? "x")
  const options = command.options.filter(({ mandatory, long }) => mandatory || long === "--yes")
  return [
    ...needed,
    ...options.flatMap(({ long, required }) => [long ?? "", ...(required ? [VALUES[long ?? ""] ?? "x"] : [])]),
  ]
}

const known = leaves(commandLine({ io: {} } as CliContext, COMMANDS))
const working = known.filter(([words]) => !CREATING.includes(words) && !WITHOUT.includes(words))

test("every command is one that creates a database, needs one, or works without", () => {
  expect(known.map(([words]) => words)).toContainValues([
    ...CREATING,
    ...WITHOUT,
    "doctor",
    "user setup-link",
    "user create",
  ])
  expect(working.filter(([, command]) => !command.options.some(({ long }) => long === "--data"))).toEqual([])
})

describe("where there is no database", () => {
  test.each(working)("%s says so and creates nothing", async (words, command) => {
    using folder = temporaryFolder()
    for (const data of [join(folder.path, "missing"), folder.path]) {
      const ran = await adbooth([...words.split(" "), ...argumentsOf(command), "--data", data])
      expect(ran).toMatchObject({ code: 1, out: "" })
      expect(ran.err).toStartWith(`There is no Adbooth database in ${data}. `)
      expect(readdirSync(folder.path)).toEqual([])
    }
  })

  test.each(working)("%s takes an empty file for none", async (words, command) => {
    using folder = temporaryFolder()
    const data = join(folder.path, "data")
    mkdirSync(data)
    writeFileSync(join(data, "adbooth.db"), "")
    const ran = await adbooth([...words.split(" "), ...argumentsOf(command), "--data", data])
    expect(ran).toMatchObject({ code: 1, out: "" })
    expect(ran.err).toBe(
      `There is no Adbooth database in ${data}. Check --data. Only serve, import, backup restore and move create a database.\n`,
    )
    expect(readdirSync(data)).toEqual(["adbooth.db"])
  })
})

test("a database that another process has just begun is not taken for an older one: import fills it", async () => {
  using folder = temporaryFolder()
  {
    using begun = new Database(join(folder.path, "adbooth.db"), { create: true })
    markAsOurs(begun)
  }
  const file = join(folder.path, "catalogue.json")
  writeFileSync(file, '{"organizations":[{"slug":"acme","name":"Acme"}]}')
  expect(await adbooth(["import", file, "--data", folder.path])).toMatchObject({
    code: 0,
    out: "organizations: 1 new, 0 updated\n",
  })
  expect(readdirSync(folder.path).filter((name) => name.includes("before-upgrade"))).toEqual([])
})
