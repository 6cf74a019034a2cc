import { describe, expect, test } from "bun:test"
import { readdirSync } from "node:fs"
import type { Command } from "commander"
import { COMMANDS as ALL } from "../../../src/doors/cli/commands/all.ts"
import type { CliContext } from "../../../src/doors/cli/context.ts"
import { commandLine } from "../../../src/doors/cli/index.ts"
import { hasBinary } from "../../binary.ts"
import { temporaryFolder } from "../../harness.ts"
import { adbooth, runCommand } from "./in-process.ts"

// The table of the contract.
const COMMANDS = [
  "serve",
  "import",
  "export",
  "key create",
  "key list",
  "key revoke",
  "agent-key create",
  "agent-key list",
  "agent-key revoke",
  "user create",
  "user list",
  "user link",
  "user reset-2fa",
  "user setup-link",
  "line list",
  "report",
  "calls",
  "backup create",
  "backup list",
  "backup check",
  "backup schedule",
  "backup restore",
  "backup rollback",
  "doctor",
  "move",
]

function namesOf(command: Command, words: readonly string[] = []): string[] {
  if (command.commands.length === 0) return command.name() === "help" ? [] : [words.join(" ")]
  return command.commands.flatMap((below) => namesOf(below, [...words, below.name()]))
}

test("there are 25 commands, those of the contract", () => {
  expect(namesOf(commandLine({ io: {} } as CliContext, ALL)).sort()).toEqual([...COMMANDS].sort())
})

describe.if(hasBinary)("the command line", () => {
  test.each(COMMANDS)("%s --help explains it", async (words) => {
    const help = await adbooth([...words.split(" "), "--help"])
    expect(help.code).toBe(0)
    expect(help.out).toContain(`Usage: adbooth ${words}`)
  })

  test.each([
    ["setup-link", "adbooth user setup-link"],
    ["lines", "adbooth line list"],
    ["restore x.db", "adbooth backup restore"],
    ["config", "adbooth doctor --settings"],
    ["version --json", "adbooth --version"],
    ["health", "adbooth doctor --ready"],
    ["openapi", "/openapi.json"],
    ["order list", "Orders"],
    ["campaign show x", "adbooth export"],
    ["alerts test", "System, Alerts"],
    ["agent-key open aba_x p", "Buyers’ keys"],
    ["user role a@b.example admin", "People of the organization"],
    ["user remove a@b.example", "System, All people"],
    ["line withdraw x y", "page of the line"],
    ["help health", "adbooth doctor --ready"],
  ])("%s of an earlier build says where it went", async (former, present) => {
    const refused = await adbooth(former.split(" "))
    expect(refused).toMatchObject({ code: 2, out: "", err: expect.stringContaining(present) })
  })

  test("a word after a group that is no command is never taken for a file", async () => {
    using folder = temporaryFolder()
    const refused = await adbooth(["backup", "lst", "--data", folder.path])
    expect(refused).toMatchObject({ code: 2, err: expect.stringContaining("Did you mean list?") })
    const file = await adbooth(["backup", `${folder.path}/x.db`])
    expect(file).toMatchObject({ code: 2, err: expect.stringContaining("adbooth backup create") })
    expect(readdirSync(folder.path)).toEqual([])
  })

  test.each(["serve x", "line list x", "key revoke x y", "doctor now"])(
    "%s: a word too many is an error",
    async (line) => {
      const refused = await adbooth(line.split(" "))
      expect(refused).toMatchObject({ code: 2, err: expect.stringContaining("too many arguments") })
    },
  )

  test("without a terminal nothing is asked: it says what it would ask, and that --yes is needed", async () => {
    const refused = await adbooth(["key", "revoke", "abi_x"])
    expect([refused.code, refused.out]).toEqual([2, ""])
    expect(refused.err).toMatch(/^Revoke abi_x\?.*\n.*Add --yes\./)
  })

  test("serve --help shows a dozen options, --help-all every one", async () => {
    const optionsIn = (text: string) => text.match(/^ {2}--[a-z-]+/gm)?.length ?? 0
    expect(optionsIn((await adbooth(["serve", "--help"])).out)).toBeLessThan(16)
    const all = await adbooth(["serve", "--help-all"])
    expect(all.code).toBe(0)
    expect(optionsIn(all.out)).toBeGreaterThan(30)
  })

  test.each([
    ["an unknown command gets a suggestion", ["srve"], "Did you mean serve?"],
    ["an unknown option gets a suggestion", ["serve", "--prot", "1"], "Did you mean --port?"],
    ["a port that is none", ["serve", "--port", "x"], "--port must be a whole number"],
    [
      "a public URL with a path",
      ["doctor", "--settings", "--public-url", "https://a.example/b"],
      "--public-url must have nothing after the host",
    ],
    [
      "a proxy that is no address",
      ["doctor", "--settings", "--trust-proxy", "here"],
      "--trust-proxy must be addresses or networks",
    ],
    ["a missing argument", ["import"], "FILE.json"],
    ["a missing option", ["key", "create", "--label", "x"], "--org"],
    [
      "a role that is none",
      ["user", "create", "--email", "a@b.example", "--name", "A", "--org", "x", "--role", "boss"],
      "--role must be",
    ],
    ["no command", [], "Usage: adbooth"],
    ["help for a command that is none", ["help", "nonsense"], 'There is no command "nonsense".'],
    ["help for a command that a group lacks", ["help", "line", "history"], 'There is no command "history".'],
    ["an option before the command", ["--data", "x", "line", "list"], '"--data" comes after the command'],
    ["a backup without a name", ["backup", "create", ""], 'FILE must name a file; it is "".'],
    ["a backup that names a folder", ["backup", "create", "x/"], 'FILE must name a file; it is "x/".'],
    ["a negative limit", ["calls", "--limit", "-1"], 'from 1 to 10000; it is "-1".\n'],
  ])("%s: exit code 2", async (_, words, sentence) => {
    const refused = await adbooth(words)
    expect(refused.code).toBe(2)
    expect(refused.err).toContain(sentence)
    expect(refused.out).toBe("")
  })

  test.each([
    ["line list", ["line", "list"]],
    ["key create", ["key", "create", "--org", "acme-audio", "--label", "x"]],
  ])("%s says where there is no database yet, and makes none", async (_, words) => {
    using folder = temporaryFolder()
    const data = `${folder.path}/none`
    const refused = await adbooth([...words, "--data", data])
    expect(refused).toMatchObject({ code: 1, err: expect.stringContaining(`There is no Adbooth database in ${data}.`) })
    expect(await Bun.file(`${data}/adbooth.db`).exists()).toBe(false)
  })

  test("settings come from options, then environment, then defaults; config says where each came from", async () => {
    const env = { ADBOOTH_PORT: "4000", PORT: "5000", ADBOOTH_LIMIT_INGEST: "70" }
    const shown = await adbooth(["doctor", "--settings", "--json", "--limit-ingest", "80"], { env })
    expect(JSON.parse(shown.out)).toMatchObject({
      port: { value: "4000", from: "environment" },
      "limit-ingest": { value: "80", from: "option" },
      host: { value: "127.0.0.1", from: "default" },
    })
    const hosted = await adbooth(["doctor", "--settings", "--json"], { env: { PORT: "5000" } })
    expect(JSON.parse(hosted.out).port).toEqual({ value: "5000", from: "environment", environment: "PORT" })
  })

  test("doctor --settings shows those of the service that is installed here", async () => {
    const installed = {
      data: "/var/lib/adbooth",
      environment: { ADBOOTH_DOMAIN: "ads.example.com" },
      settingsFile: null,
    }
    const { out } = await runCommand(["doctor", "--settings", "--json"], { installed })
    expect(JSON.parse(out)).toMatchObject({
      data: { value: "/var/lib/adbooth" },
      domain: { value: "ads.example.com", from: "environment" },
    })
  })

  test("--domain takes domains that a certificate can be had for, and nothing else", async () => {
    const not = [
      "10.0.0.1",
      "[2001:db8::1]",
      "::1",
      "localhost",
      "adbooth",
      "ads.example.com:443",
      "https://ads.example.com",
    ]
    for (const domain of [...not, "ads.example.com,10.0.0.1", "*.example.com", "ads.example.com,"]) {
      const { code, err } = await adbooth(["doctor", "--settings", "--domain", domain])
      expect([code, err]).toEqual([
        2,
        expect.stringContaining(`no IP address, no name without a dot, no scheme or port; it is "${domain}".`),
      ])
      const { err: ofVariable } = await adbooth(["doctor", "--settings"], { env: { ADBOOTH_DOMAIN: domain } })
      expect(ofVariable).toStartWith("ADBOOTH_DOMAIN must be domains such as ads.example.com: no IP address")
    }
    const { out } = await adbooth(["doctor", "--settings", "--json", "--domain", "Ads.Example.com, 4.xn--p1ai"])
    expect(JSON.parse(out)).toMatchObject({ domain: { value: "Ads.Example.com, 4.xn--p1ai" } })
  })

  test("a database named in another way than by a URL is refused without its password", async () => {
    const text = "host=h user=u password=hidden"
    const env = { ADBOOTH_DATABASE_URL: text }
    for (const args of [
      ["line", "list"],
      ["move", "--from", "env:ADBOOTH_DATABASE_URL", "--to", "x"],
    ]) {
      const { code, err } = await adbooth(args, { env })
      expect({ args, code, err }).toEqual({
        args,
        code: 2,
        err: expect.stringContaining("such as postgres://user@host"),
      })
      expect(err).not.toContain("hidden")
    }
    for (const place of [text, "mysql://u:hidden@h/db", "postgres:u:hidden@h/db", "env:postgres://u:hidden@h/db"])
      expect((await adbooth(["move", "--from", place, "--to", "x"])).err).not.toContain("hidden")
  })

  test("help and --version answer as people expect them to", async () => {
    expect(await adbooth(["--version"])).toMatchObject({ code: 0, out: "0.1.0\n" })
    expect(await adbooth(["help", "serve"])).toMatchObject({ code: 0, out: (await adbooth(["serve", "--help"])).out })
    expect(await adbooth(["help"])).toMatchObject({ code: 0, out: (await adbooth(["--help"])).out })
  })
})
