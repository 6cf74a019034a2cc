import { Database } from "bun:sqlite"
import { beforeAll, describe, expect, test } from "bun:test"
import { createHash } from "node:crypto"
import { existsSync } from "node:fs"
import { join, resolve } from "node:path"
import { PROGRAM } from "../harness/program.ts"
import { emptyData, exampleData, exampleFile, type GivenData, PACKAGE_ID } from "./given.ts"

const LINES = 3_000
const READER = resolve(import.meta.dir, "slow-reader.py")
const [campaign] = exampleFile().campaigns
const [line] = campaign.lines

/** A catalog of about a megabyte. */
const largeFile = () => {
  const others = Array.from({ length: LINES }, (_, i) => ({
    ...line,
    package_id: `0b8f5a0e-6d1c-4b43-9a55-${String(i).padStart(12, "0")}`,
    name: `Line ${i} ${"x".repeat(100)}`,
  }))
  return { ...exampleFile(), campaigns: [{ ...campaign, lines: [line, ...others] }] }
}

let given: GivenData
let exported: string
beforeAll(async () => {
  given = emptyData()
  const { code, errors } = await given.import(largeFile())
  if (code !== 0) throw new Error(errors)
  exported = (await given.run("export")).output
  return () => given[Symbol.dispose]()
})

/** Runs a line of bash in which "$@" is the program, and $DATA the data directory. */
async function shell(script: string) {
  const child = Bun.spawn(["bash", "-c", script, "-", ...PROGRAM], {
    env: { ...process.env, DATA: given.data },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  })
  const [output, errors] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()])
  return { code: await child.exited, output, errors }
}

const digestOf = (text: string): string => createHash("sha256").update(text).digest("hex")

describe.skipIf(Bun.which("python3") === null)("nothing is lost [needs python3]", () => {
  test.each(["slow", "nonblock", "nonblock+shared", "pty"])("in a pipe that is %s", async (mode) => {
    expect(exported.length).toBeGreaterThan(700_000)
    const { output: arrived } = await shell(`python3 ${READER} ${mode} "$@" export --data "$DATA"`)
    expect(JSON.parse(arrived)).toMatchObject({ bytes: exported.length, digest: digestOf(exported), code: 0 })
  })
})

describe("a reader that stops", () => {
  test.each(["export", "export --all", "line list"])("ends %s without a word", async (command) => {
    const { output, errors } = await shell(`"$@" ${command} --data "$DATA" | head -c 10; exit "\${PIPESTATUS[0]}"`)
    expect(output).toHaveLength(10)
    expect(errors).toBe("")
  })
})

describe("standard output", () => {
  test.skipIf(!existsSync("/dev/full"))("that is full is an error in one sentence", async () => {
    const { code, errors } = await shell(`"$@" line list --data "$DATA" > /dev/full`)
    expect(code).toBe(1)
    expect(errors).toBe("The output is incomplete: the disk is full.\n")
  })
})

describe.skipIf(Bun.which("python3") === null)("on a terminal [needs python3]", () => {
  test("of 80 columns, a table has the package ID, and says which columns are hidden", async () => {
    const { output } = await shell(`python3 ${READER} pty+text "$@" line list --data "$DATA"`)
    const lines = output.split(/\r?\n/)
    const [title = "", first = ""] = lines
    expect(Bun.stripANSI(title)).toMatch(/^PACKAGE ID +NAME +DELIVERED/)
    expect(first).toContain("0b8f5a0e-6d1c-4b43-9a55-")
    for (const text of lines.filter((each) => !each.startsWith("Columns hidden")))
      expect(Bun.stringWidth(text)).toBeLessThanOrEqual(80)
    expect(output).toContain("Columns hidden to fit: ")
  })

  test("stored text can't control it", async () => {
    using odd = await exampleData()
    const name = "A \u202e\u2028\u001b[2J B"
    // No way in takes such a name, but a database may have it.
    using database = new Database(join(odd.data, "adbooth.db"))
    database.query("UPDATE line SET name = ?").run(name)
    for (const args of ["line list", "line list --json", "export"]) {
      const { output } = await shell(`python3 ${READER} pty+text "$@" ${args} --data ${odd.data}`)
      expect(output).toContain("\\u202e")
      expect(output).not.toContain("\u202e")
      expect(output).not.toContain("\u001b[2J")
    }
    expect(await odd.json("line", "list")).toEqual([expect.objectContaining({ package_id: PACKAGE_ID, name })])
  })

  test("a question is answered with yes or no, and Ctrl-C ends quietly with 130", async () => {
    const { prefix } = await given.json("key", "create", "--org", "acme-audio", "--label", "Asked")
    const revoke = (answer: string) =>
      shell(`python3 ${READER} pty+${answer} "$@" key revoke ${prefix} --data "$DATA"`).then(({ output }) =>
        JSON.parse(output),
      )
    expect(await revoke("no")).toMatchObject({ code: 1 })
    expect(await revoke("interrupt")).toMatchObject({ code: 130 })
    expect(await given.json("key", "list")).toEqual([expect.objectContaining({ revoked: null })])
    expect(await revoke("yes")).toMatchObject({ code: 0 })
  })
})
