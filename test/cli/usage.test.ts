import { describe, expect, test } from "bun:test"
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import packageJson from "../../package.json"
import { REFERENCE, settingsReference } from "../../scripts/settings-reference.ts"
import { temporaryFolder } from "../harness/folder.ts"
import { tryProgram } from "../harness/program.ts"

// The table of the contract, with what each needs besides --help.
const COMMANDS: Readonly<Record<string, readonly string[]>> = {
  "": ["serve", "import", "export", "report", "calls", "doctor", "move", "key", "agent-key", "user", "line", "backup"],
  key: ["create", "list", "revoke"],
  "agent-key": ["create", "list", "revoke"],
  user: ["create", "list", "link", "reset-2fa", "setup-link"],
  line: ["list"],
  backup: ["create", "list", "check", "schedule", "restore", "rollback"],
}

/** The commands that a help lists, without the one that shows help. */
function listedIn(help: string): string[] {
  const listed = [...help.matchAll(/^ {2}([a-z][a-z0-9-]*)(?: \[| <| {2,})/gm)].map(([, name = ""]) => name)
  return listed.filter((name) => name !== "help" && name !== "adbooth")
}

describe("help", () => {
  test.each(Object.entries(COMMANDS))(
    "of %p lists the commands of the contract, and no others",
    async (group, names) => {
      const { code, output } = await tryProgram([...group.split(" ").filter(Boolean), "--help"])
      expect(code).toBe(0)
      expect(listedIn(output).sort()).toEqual([...names].sort())
    },
  )

  const all = Object.entries(COMMANDS).flatMap(([group, names]) =>
    names.filter((name) => COMMANDS[name] === undefined).map((name) => `${group} ${name}`.trim()),
  )

  test("explains all 25 commands, with examples that fit into the window", async () => {
    expect(all).toHaveLength(25)
    const helps = await Promise.all(all.map((name) => tryProgram([...name.split(" "), "--help"])))
    for (const [i, { code, output }] of helps.entries()) {
      const name = all[i] ?? ""
      expect({ name, code }).toEqual({ name, code: 0 })
      expect(output).toContain(`Usage: adbooth ${name}`)
      expect(output).toContain("\nExamples:\n  adbooth ")
      expect(output).not.toContain("undefined")
    }
  })

  test("and the version work in every spelling", async () => {
    const [version, short, help, word] = await Promise.all(
      [["--version"], ["-v"], ["serve", "--help"], ["help", "serve"]].map((args) => tryProgram(args)),
    )
    expect(version).toMatchObject({ code: 0, output: `${packageJson.version}\n` })
    expect(short).toEqual(version)
    expect(word).toEqual(help)
  })
})

describe("a wrong command line is explained, with exit code 2", () => {
  test.each([
    ["an unknown command", "srve", "Did you mean serve?"],
    ["a word of another command", "setup-link", "adbooth user setup-link"],
    ["a plural", "lines", "Did you mean line?"],
    ["a file in place of a command", "backup x.db", "The nearest command is: adbooth backup"],
    ["an unknown option", "serve --prot 1", "Did you mean --port?"],
    ["a word too many", "line list x", "too many arguments"],
    ["an option before the command", "--data x line list", "unknown option '--data'"],
    ["a missing option", "key create --label x", "--org"],
    ["a missing file", "import", "Name the file to import"],
    ["a port that is none", "serve --port x", '--port must be a whole number from 0 to 65535, not "x".'],
    ["a URL with a path", "doctor --public-url https://a.example/b", "--public-url must be a URL without a path"],
    ["a proxy that is none", "doctor --trust-proxy here", "--trust-proxy must be an IP address or a network"],
    ["a role that is none", "user create --email a@b.example --name A --role boss", "--role must be admin or member"],
    ["a limit below 1", "calls --limit 0", "--limit must be a whole number from 1"],
    ["a time that is none", "calls --since yesterday", "--since must be a time such as 30m"],
    ["no command", "", "Usage: adbooth"],
  ])("%s", async (_, line, words) => {
    using folder = temporaryFolder()
    const { code, output, errors } = await tryProgram(line.split(" ").filter(Boolean), { ADBOOTH_DATA: folder.path })
    expect([code, output]).toEqual([2, ""])
    expect(errors).toContain(words)
    expect(readdirSync(folder.path)).toEqual([])
  })

  test("a database that isn't named by a URL is refused, without showing its password", async () => {
    const text = "host=h user=u password=hidden"
    const runs = await Promise.all([
      tryProgram(["line", "list"], { ADBOOTH_DATABASE_URL: text }),
      tryProgram(["move", "--from", text, "--to", "x"]),
      tryProgram(["move", "--from", "env:PLACE", "--to", "x"], { PLACE: "mysql://u:hidden@h/db" }),
    ])
    for (const { code, errors } of runs) {
      expect(code).toBe(2)
      expect(errors).toContain("must be a URL such as postgres://")
      expect(errors).not.toContain("hidden")
    }
  })
})

test("without a database, a command says so and creates none", async () => {
  using folder = temporaryFolder()
  const data = join(folder.path, "none")
  for (const args of [
    ["line", "list"],
    ["key", "create", "--org", "a", "--label", "x"],
  ]) {
    const { code, errors } = await tryProgram([...args, "--data", data])
    expect(code).toBe(1)
    expect(errors).toContain(`There is no Adbooth database in ${data}.`)
  }
  expect(existsSync(data)).toBe(false)
})

test("a setting that a command doesn't use may be wrong", async () => {
  using folder = temporaryFolder()
  const { errors } = await tryProgram(["line", "list", "--data", folder.path], { ADBOOTH_BACKUP_EVERY: "often" })
  expect(errors).toContain("There is no Adbooth database")
})

test("the reference of settings is up to date", () => {
  expect(readFileSync(REFERENCE, "utf8")).toBe(settingsReference())
})
