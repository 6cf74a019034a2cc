import { describe, expect, test } from "bun:test"
import { readdirSync, readFileSync, statSync } from "node:fs"
import { join } from "node:path"
import { parse } from "csv-parse/sync"
import { tryProgram } from "../harness/program.ts"
import { emptyData, exampleData, exampleFile, PACKAGE_ID } from "./given.ts"

test("an export that is imported elsewhere gives the same catalog, and has no secrets", async () => {
  const users = [{ email: "a@example.com", name: "A", organization: "acme-audio", role: "admin" }]
  using given = await exampleData({ ...exampleFile(), users })
  const { output } = await given.run("export")
  expect(output).not.toMatch(/aba_\w{20}/)
  expect(JSON.parse(output).campaigns[0].lines[0].package_id).toBe(PACKAGE_ID)
  using other = emptyData()
  expect((await tryProgram(["import", "-", "--data", other.data], {}, output)).code).toBe(0)
  expect((await other.run("export")).output).toBe(output)
})

test("--all prints every table as JSON lines, without secrets", async () => {
  using given = await exampleData()
  const { key } = await given.json("key", "create", "--org", "acme-audio", "--label", "Ad server")
  const { code, output } = await given.run("export", "--all")
  expect(code).toBe(0)
  const rows = output
    .trimEnd()
    .split("\n")
    .map((text) => JSON.parse(text))
  const tables = new Set(rows.flatMap((row) => Object.keys(row)))
  for (const table of ["organization", "line", "product", "api_key", "audit_entry"]) expect(tables).toContain(table)
  expect(output).toContain(key.slice(0, 12))
  expect(output).not.toContain(key)
  expect(output).not.toContain("fingerprint")
})

describe("--csv", () => {
  test("saves a file for each table, which only its owner can read", async () => {
    using given = await exampleData()
    const folder = join(given.folder, "csv")
    const { files } = await given.json("export", "--csv", folder)
    expect(readdirSync(folder).sort()).toEqual([...files].sort())
    const path = join(folder, "line.csv")
    expect(statSync(path).mode & 0o077).toBe(0)
    const lines = parse(readFileSync(path), { bom: true, columns: true }) as Record<string, string>[]
    expect(lines).toEqual([expect.objectContaining({ packageId: PACKAGE_ID, name: "Pre-roll" })])
  })

  test("a text that a spreadsheet would run is defused", async () => {
    using given = await exampleData({ organizations: [{ slug: "a", name: "=1+1" }] })
    await given.run("export", "--csv", join(given.folder, "csv"))
    expect(readFileSync(join(given.folder, "csv", "organization.csv"), "utf8")).toContain("'=1+1")
  })

  test("and --all can't be given together", async () => {
    expect(await tryProgram(["export", "--all", "--csv", "x"])).toMatchObject({ code: 2, output: "" })
  })
})
