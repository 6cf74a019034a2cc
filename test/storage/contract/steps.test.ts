import { describe, expect, test } from "bun:test"
import { sql } from "drizzle-orm"
import { audit } from "../../../src/storage/steps/audit.ts"
import { all, count, eq, exec, first, type Step, type Tx } from "../../../src/storage/steps/step.ts"
import { storageContract } from "./contract.ts"
import { given, givenUser } from "./given.ts"

storageContract("steps", (engine) => {
  describe("a step", () => {
    test("that throws leaves nothing behind, and what comes after it is not affected", async () => {
      await using at = await given(engine)
      const made = at.here.transact(function* (tx) {
        yield* exec(tx.db.insert(tx.setting).values({ name: "a", value: "1" }))
        yield* audit(tx, at.change(), { action: "test step", subject: "a" })
        throw new Error("not so")
      })
      expect(made).rejects.toThrow("not so")
      await made.catch(() => undefined)
      expect(await settings(at.there)).toEqual([])
      expect((await at.there.audit.list({}, { before: null, limit: 10 })).entries).toEqual([])
      await at.here.transact((tx) => exec(tx.db.insert(tx.setting).values({ name: "a", value: "2" })))
      expect(await settings(at.there)).toEqual([{ name: "a", value: "2" }])
    })

    test("beside others does all of it or nothing too", async () => {
      await using at = await given(engine)
      const add = (name: string) =>
        at.here.transactBeside(({ db, setting }) => exec(db.insert(setting).values({ name, value: "1" })))
      await Promise.all([add("a"), add("b")])
      const failed = at.here.transactBeside(function* ({ db, setting }) {
        yield* exec(db.insert(setting).values({ name: "c", value: "1" }))
        throw new Error("not so")
      })
      expect(await failed.catch((cause) => cause.message)).toBe("not so")
      expect((await settings(at.there)).map(({ name }) => name).sort()).toEqual(["a", "b"])
    })

    test.each([0, 1, 1_000])(
      "with a list of %d rows reads it like a table, in its order, and does all of it or nothing",
      async (n) => {
        await using at = await given(engine)
        const rows = Array.from({ length: n }, (_, i) => ({
          name: `${n - i}`,
          amount: i + 0.5,
          archived: i % 2 || null,
        }))
        const list = { columns: { name: "text", amount: "number", archived: "flag" }, rows } as const
        const write = (fails: boolean) =>
          at.here.transactBulk({ list }, function* ({ given: { list: from }, statement }): Step<number> {
            const values = sql`p.place || ' ' || p.amount || ' ' || coalesce(p.archived, 0)`
            yield* exec(
              statement(sql`INSERT INTO setting (name, value) SELECT p.name, ${values} FROM ${from} ORDER BY p.place`),
            )
            if (fails) throw new Error("not so")
            return (yield* all(statement<{ n: number }>(sql`SELECT count(*) AS n FROM ${from}`)))[0]?.n ?? 0
          })
        expect(await write(true).catch((cause) => cause.message)).toBe("not so")
        expect(await settings(at.there)).toEqual([])
        expect(await write(false)).toBe(n)
        const stored = new Map((await settings(at.there)).map(({ name, value }) => [name, value]))
        for (const [i, { name, amount, archived }] of rows.entries())
          expect(stored.get(name)).toBe(`${i + 1} ${amount} ${archived ?? 0}`)
      },
    )

    test("ends with the first query that fails, needed or not, and cannot go on", async () => {
      await using at = await given(engine)
      let wentOn = false
      const twice = at.here.transact(function* (tx): Step<void> {
        try {
          yield* exec(tx.db.insert(tx.setting).values({ name: "a", value: "1" }))
          yield* exec(tx.db.insert(tx.setting).values({ name: "a", value: "2" }))
          yield* all(tx.db.select().from(tx.setting))
          wentOn = true
        } catch {
          wentOn = true
        }
      })
      expect(await twice.then(() => "done").catch(() => "failed")).toBe("failed")
      expect(wentOn).toBe(false)
      expect(await settings(at.there)).toEqual([])
      const last = at.here.transact(function* (tx): Step<void> {
        yield* exec(tx.db.insert(tx.membership).values({ userId: 77, organizationId: 77, role: "admin" }))
      })
      expect(await last.then(() => "done").catch(() => "failed")).toBe("failed")
    })

    test("has read what still holds when it is committed, whoever else does the same", async () => {
      await using at = await given(engine)
      await givenUser(at, "a@example.com")
      const add = function* ({ db, setting }: Tx): Step<number> {
        const found = (yield* first(db.select({ n: count() }).from(setting)))?.n ?? 0
        yield* exec(db.insert(setting).values({ name: `${found}`, value: "x" }))
        return found
      }
      const numbers = await Promise.all(Array.from({ length: 20 }, (_, n) => at.stores[(n % 2) as 0 | 1].transact(add)))
      expect(numbers.sort((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, n) => n))
    })

    test("sees what it has changed, in its order, whether or not it waited for it", async () => {
      await using at = await given(engine)
      const seen = await at.here.transact(function* ({ db, setting }): Step<string[]> {
        const values: string[] = []
        yield* exec(db.insert(setting).values({ name: "a", value: "0" }))
        for (let n = 1; n <= 20; n++) {
          yield* exec(db.update(setting).set({ value: `${n}` }))
          if (n % 3 === 0)
            yield* all(
              db
                .update(setting)
                .set({ value: `${n}!` })
                .returning(),
            )
          if (n % 2 === 0) values.push((yield* first(db.select().from(setting)))?.value ?? "")
        }
        return values
      })
      expect(seen).toEqual(["2", "4", "6!", "8", "10", "12!", "14", "16", "18!", "20"])
    })

    test("may write for as long as a slow machine takes: the database hears of it on the way", async () => {
      await using at = await given(engine)
      await at.here.transact(function* ({ db, setting }) {
        for (let i = 0; i < 180; i++) {
          // Together longer than a database waits for a replica that went silent in a transaction. Few: a busy machine wakes late.
          if (i % 10 === 0) Bun.sleepSync(100)
          yield* exec(db.insert(setting).values({ name: `${i}`, value: "1" }))
        }
      })
      expect(await settings(at.there)).toHaveLength(180)
    })

    test("gets back what it changed", async () => {
      await using at = await given(engine)
      const { id } = await givenUser(at, "a@example.com", { name: "A" })
      const changed = await at.here.transact(function* ({ db, user }) {
        return yield* first(db.update(user).set({ name: "B" }).where(eq(user.id, id)).returning())
      })
      expect(changed).toMatchObject({ id, email: "a@example.com", name: "B", isOperator: 0, passwordHash: null })
      const again = await at.here.transact(function* ({ db, user }) {
        const row = { email: "a@example.com", name: "C", createdAt: 1 }
        return yield* all(db.insert(user).values(row).onConflictDoNothing().returning({ id: user.id }))
      })
      expect(again).toEqual([])
    })
  })
})

function settings({ query }: Pick<Awaited<ReturnType<typeof given>>["here"], "query">) {
  return query(({ db, setting }) => all(db.select().from(setting)))
}
