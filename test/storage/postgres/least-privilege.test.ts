import { describe, expect, test } from "bun:test"
import { SQL } from "bun"
import { postgresStore } from "../../../src/storage/postgres/index.ts"
import { wholeStore } from "../contract/whole-store.ts"
import { noPostgres, testServer } from "./server.ts"

/** The statements of docs/scaling.md, with another name for the role, the database and the schema. */
async function documentedStatements(name: string): Promise<string[][]> {
  const text = await Bun.file("docs/scaling.md").text()
  const blocks = [...text.matchAll(/```sql\n(.*?)```/gs)].map(([, block = ""]) => block.replaceAll("adbooth", name))
  return blocks.slice(0, 2).map((block) => block.split(";").flatMap((one) => one.trim() || []))
}

describe.skipIf(noPostgres !== null)("the role of docs/scaling.md", () => {
  test("is enough for everything, sees no other schema, and may not create one", async () => {
    const { owner, urlOf } = await testServer()
    const name = `adbooth_role_${process.pid}`
    const [asSuperuser = [], inDatabase = []] = await documentedStatements(name)
    expect([asSuperuser.length, inDatabase.length]).toEqual([5, 2])
    try {
      for (const statement of asSuperuser) await owner.unsafe(statement)
      await using inside = new SQL(urlOf(name), { max: 1 })
      for (const statement of inDatabase) await inside.unsafe(statement)
      const url = urlOf(name).replace(/:\/\/[^@]*@/, `://${name}:choose-one@`)
      const store = wholeStore((await postgresStore(url)).store)
      await store.organizations.create({ slug: "acme", name: "Acme", timeZone: "UTC" }, { actor: "command", at: 1 })
      await Promise.all([store.health.facts(), store.health.integrity(), store.health.tryWriting()])
      await store[Symbol.asyncDispose]()
      await using role = new SQL(url, { max: 1 })
      const found = await role`SELECT DISTINCT relnamespace::regnamespace::text AS schema FROM pg_class
        WHERE relowner = current_user::regrole::oid AND relkind = 'r'`
      expect(Array.from(found)).toEqual([{ schema: name }])
      await expect(role.unsafe("CREATE SCHEMA another").execute()).rejects.toThrow(/permission denied/)
      await expect(role.unsafe("CREATE TABLE public.another (x integer)").execute()).rejects.toThrow(
        /permission denied/,
      )
    } finally {
      await owner.unsafe(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)
      await owner.unsafe(`DROP ROLE IF EXISTS ${name}`)
    }
  })
})
