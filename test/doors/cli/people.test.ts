import { Database } from "bun:sqlite"
import { describe, expect, test } from "bun:test"
import { join } from "node:path"
import { temporaryFolder } from "../../harness.ts"
import { adbooth } from "./in-process.ts"

/** Somebody in a data directory, changed by `sql` as no command of ours would. */
async function given(sql: string) {
  const folder = temporaryFolder()
  const on = (...args: string[]) => adbooth([...args, "--data", folder.path])
  const catalogue = join(folder.path, "catalogue.json")
  await Bun.write(catalogue, JSON.stringify({ users: [{ email: "mo@example.com", name: "Mo" }] }))
  await on("import", catalogue)
  using database = new Database(join(folder.path, "adbooth.db"))
  database.run(sql)
  const audited = () => {
    using reading = new Database(join(folder.path, "adbooth.db"))
    return reading.query<{ action: string; subject: string }, []>("SELECT action, subject FROM audit_entry").all()
  }
  return { on, audited, [Symbol.dispose]: () => folder[Symbol.dispose]() }
}

describe("people on the command line", () => {
  test("a name that was stored with commands for a terminal reaches none", async () => {
    const name = "M\u001b]0;owned\u0007\u009b31m\u202eo"
    using at = await given(`UPDATE user SET name = '${name}'`)
    const listed = await at.on("user", "list")
    expect(listed.out).not.toMatch(/[^\P{Cc}\n]|\u202e/u)
    expect(listed.out).toContain("M\\u001b]0;owned")
    const json = await at.on("user", "list", "--json")
    expect(json.out).not.toMatch(/[^\P{Cc}\n]|\u202e/u)
    expect(JSON.parse(json.out)).toMatchObject([{ name }])
    const missing = await at.on("user", "link", "\u001b[2Jx@example.com")
    expect([missing.code, missing.err.includes("\u001b")]).toEqual([1, false])
  })

  test("user reset-2fa turns codes off, ends the sessions and is kept in the audit trail", async () => {
    using at = await given("UPDATE user SET totp_secret = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP'")
    const reset = await at.on("user", "reset-2fa", "Mo@example.com", "--yes", "--json")
    expect(JSON.parse(reset.out)).toEqual({ email: "mo@example.com", reset: true })
    expect(JSON.parse((await at.on("user", "list", "--json")).out)).toMatchObject([{ two_factor: false }])
    expect(at.audited()).toContainEqual({ action: "reset two_factor", subject: "mo@example.com" })
    expect((await at.on("user", "reset-2fa", "mo@example.com", "--yes")).out).toContain("Nothing was changed")
    const unknown = await at.on("user", "reset-2fa", "nobody@example.com", "--yes")
    expect([unknown.code, unknown.err]).toEqual([1, expect.stringContaining("There is no account")])
  })
})
