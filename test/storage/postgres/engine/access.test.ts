import { describe, expect, test } from "bun:test"
import { sql } from "drizzle-orm"
import { readAddress } from "../../../../src/domain/operations/database-url.ts"
import { StoreUnavailable } from "../../../../src/storage/port/unavailable.ts"
import { openPools } from "../../../../src/storage/postgres/engine/connect.ts"
import { DeadlineError } from "../../../../src/storage/postgres/engine/postgres-errors.ts"
import { bulkSteps } from "../../../../src/storage/postgres/engine/steps.ts"
import { type Access, access, type Transaction } from "../../../../src/storage/postgres/engine/transaction.ts"
import { first } from "../../../../src/storage/steps/step.ts"
import { type Network, networkTo } from "../network.ts"
import { freshDatabase, noPostgres } from "../server.ts"

// Less than the usual deadline, and far more than an answer takes on a busy machine.
const SOON = { withinMs: 3_000 }

/** `near` reaches a fresh database through two networks, one host of its URL each; `direct` without. */
async function givenNetworks() {
  const opened = new AsyncDisposableStack()
  const database = opened.use(await freshDatabase())
  const [server] = readAddress(database.url).hosts
  if (server === undefined) throw new Error("the test server has no host")
  const [first, second] = [0, 1].map(() => opened.use(networkTo(server.name, server.port))) as [Network, Network]
  const open = (url: string) => access(opened.use(openPools(readAddress(`${url}&pool_size=3`))))
  const through = (...networks: readonly Pick<Network, "port">[]) =>
    open(database.url.replace(/@[^/]+\//, `@${networks.map(({ port }) => `127.0.0.1:${port}`).join(",")}/`))
  const direct = open(database.url)
  return {
    first,
    second,
    direct,
    through,
    names: async () =>
      (await direct.read(({ rows }) => rows<{ name: string }>("SELECT name FROM setting ORDER BY 1"))).map(
        ({ name }) => name,
      ),
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}

const add = (name: string) => (transaction: Transaction) =>
  transaction.rows("INSERT INTO setting (name, value) VALUES ($1, $1)", [name])
const askOne = ({ read }: Pick<Access, "read">) => read(({ rows }) => rows("SELECT 1::bigint AS n"), SOON)

/** The same fate for the first bytes that hold a word, and none for the rest. */
function once(network: Network, word: string, fate: ReturnType<Network["fate"]>): void {
  network.fate = (sent) => {
    if (!sent.includes(word)) return "pass"
    network.fate = () => "pass"
    return fate
  }
}

describe.concurrent.skipIf(noPostgres !== null)("access to PostgreSQL", () => {
  test("whatever is asked of a server that is gone fails as unavailable", async () => {
    await using at = await givenNetworks()
    const near = at.through(at.first)
    await askOne(near)
    at.first.stop()
    await expect(askOne(near)).rejects.toThrow(StoreUnavailable)
    await expect(near.transact(add("a"), SOON)).rejects.toThrow(StoreUnavailable)
    await expect(near.recordFigures(add("a"), SOON)).rejects.toThrow(StoreUnavailable)
  })

  test("every statement has a time limit in the server, also behind PgBouncer, which lets no connection bring one along", async () => {
    await using at = await givenNetworks()
    const limitOf = async ({ read }: Access, withinMs?: number) => {
      const statement = "SELECT setting::bigint AS ms FROM pg_settings WHERE name = 'statement_timeout'"
      const [found] = await read(({ rows }) => rows<{ ms: number }>(statement), withinMs ? { withinMs } : {})
      return found?.ms ?? 0
    }
    // A little above our own deadline of 5 s; what may take longer has longer.
    expect(await limitOf(at.through(at.first))).toBe(5_500)
    expect(await limitOf(at.through(at.first), 60_000)).toBeWithin(50_000, 60_001)
    at.first.fate = (sent) => (sent.includes("statement_timeout\0") ? "unsupported" : "pass")
    const pooled = at.through(at.first)
    // To connect counts against the deadline of whoever comes first.
    await askOne(pooled)
    expect(await limitOf(pooled)).toBeWithin(4_000, 5_001)
    expect(await limitOf(pooled, 60_000)).toBeWithin(50_000, 60_001)
  })

  test.each([false, true])(
    "what is read at one moment has the time of a request, and only what looks at every row has longer (behind PgBouncer: %p)",
    async (isPooled) => {
      await using at = await givenNetworks()
      if (isPooled) at.first.fate = (sent) => (sent.includes("statement_timeout\0") ? "unsupported" : "pass")
      const near = at.through(at.first)
      // To connect counts against the deadline of whoever comes first.
      await askOne(near)
      const { queryMoment } = bulkSteps(near)
      const limit = sql.raw("SELECT setting::bigint AS ms FROM pg_settings WHERE name = 'statement_timeout'")
      const limitOf = (takes?: "long") =>
        queryMoment(function* ({ statement }) {
          return (yield* first(statement<{ ms: number }>(limit)))?.ms ?? 0
        }, takes)
      expect(await limitOf()).toBeWithin(4_000, 5_001)
      expect(await limitOf("long")).toBeWithin(500_000, 600_001)
    },
  )

  test("locks of a replica that was cut off in a transaction are free before those who wait for them give up", async () => {
    await using at = await givenNetworks()
    const near = at.through(at.first)
    // The server has begun the transaction and taken its lock; nothing that is sent later arrives, not even the end of the connection.
    const isCutOff = Promise.withResolvers<void>()
    const lost = near.transact(async (transaction) => {
      at.first.fate = () => "vanish"
      isCutOff.resolve()
      return add("lost")(transaction)
    })
    await isCutOff.promise
    await at.direct.transact(add("next"))
    await expect(lost).rejects.toThrow(DeadlineError)
    expect(await at.names()).toContain("next")
    expect(await at.names()).not.toContain("lost")
  })

  test("an import that freezes under the lock loses it before those who wait give up", async () => {
    await using at = await givenNetworks()
    const near = at.through(at.first)
    const [locked, thawed] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const long = at.direct.transact(
      async (transaction) => {
        await add("long")(transaction)
        locked.resolve()
        await thawed.promise
      },
      { withinMs: 60_000 },
    )
    await locked.promise
    await near.transact(add("short"))
    thawed.resolve()
    // It is made again, from its beginning.
    await long
    expect(await at.names()).toEqual(["long", "short"])
  })

  test("a server that never answers: each operation is refused within its deadline", async () => {
    using silent = Bun.listen({ hostname: "127.0.0.1", port: 0, socket: { data: () => undefined } })
    await using at = await givenNetworks()
    const far = at.through({ port: silent.port })
    const late = { withinMs: 100 }
    await expect(far.read(({ rows }) => rows("SELECT 1"), late)).rejects.toThrow(DeadlineError)
    await expect(far.transact(add("a"), late)).rejects.toThrow(DeadlineError)
    await expect(far.recordFigures(add("a"), late)).rejects.toThrow(DeadlineError)
    expect(await at.names()).toEqual([])
  })

  test("connections that hang are given up, and the next operation goes on with new ones", async () => {
    await using at = await givenNetworks()
    const near = at.through(at.first)
    await askOne(near)
    at.first.fate = () => "hang"
    await expect(near.read(({ rows }) => rows("SELECT 1"), { withinMs: 200 })).rejects.toThrow(DeadlineError)
    at.first.fate = () => "pass"
    expect(await askOne(near)).toEqual([{ n: 1 }])
    once(at.first, "INSERT", "hang")
    // Long enough to get to its INSERT, and less than the 1.5 s after which the server ends a silent transaction, which is made again.
    await expect(near.transact(add("a"), { withinMs: 1_000 })).rejects.toThrow(DeadlineError)
    // Its lock went with its connection: nobody waits for it.
    await near.transact(add("b"), SOON)
    expect(await at.names()).toEqual(["b"])
  })

  test("a connection that is lost before the commit is made up for", async () => {
    await using at = await givenNetworks()
    const near = at.through(at.first)
    for (const [word, name] of [
      ["BEGIN", "a"],
      ["INSERT", "b"],
    ] as const) {
      let runs = 0
      await askOne(near)
      once(at.first, word, "cut")
      await near.transact((transaction) => {
        runs += 1
        return add(name)(transaction)
      })
      expect(runs).toBe(word === "INSERT" ? 2 : 1)
    }
    expect(await at.names()).toEqual(["a", "b"])
  })

  test("a commit whose answer is lost is an error, and is never made twice", async () => {
    await using at = await givenNetworks()
    const near = at.through(at.first)
    let runs = 0
    const adding = (name: string) => (transaction: Transaction) => {
      runs += 1
      return add(name)(transaction)
    }
    await askOne(near)
    once(at.first, " COMMIT\0", "cut")
    await expect(near.recordFigures(adding("a"))).rejects.toThrow("not known")
    await askOne(near)
    once(at.first, " COMMIT\0", "cut after")
    await expect(near.transact(adding("b"))).rejects.toThrow("not known")
    expect(runs).toBe(2)
    // Waits for whatever is still under way in the server.
    await at.direct.transact(async () => undefined)
    expect(await at.names()).toEqual(["b"])
  })

  test("of two hosts the one that answers is used, and the other one when it goes away", async () => {
    await using at = await givenNetworks()
    const near = at.through(at.first, at.second)
    await near.transact(add("a"))
    at.first.stop()
    await near.transact(add("b"))
    expect(await at.names()).toEqual(["a", "b"])
    at.second.stop()
    await expect(near.transact(add("c"))).rejects.toThrow(/answers and takes writes/)
  })

  test("changes are made one at a time, and figures never in between", async () => {
    await using at = await givenNetworks()
    const replicas = [at.direct, at.through(at.first), at.through(at.second)]
    let changing = 0
    let figures = 0
    const seen: string[] = []
    await Promise.all(
      Array.from({ length: 30 }, (_, place) => {
        const replica = replicas[place % 3]
        const work = async ({ rows }: Transaction) => {
          if (place % 2 === 0) changing += 1
          else figures += 1
          await rows("SELECT 1")
          if (changing > 1 || (changing > 0 && figures > 0)) seen.push(`${changing} changes and ${figures} figures`)
          if (place % 2 === 0) changing -= 1
          else figures -= 1
        }
        return place % 2 === 0 ? replica?.transact(work) : replica?.recordFigures(work)
      }),
    )
    expect(seen).toEqual([])
  })

  test("a change that writes moves the revisions that it says, and one that writes nothing moves none", async () => {
    await using at = await givenNetworks()
    const { transact: change, recordFigures } = at.direct
    const revisions = () => recordFigures(async ({ terms, catalogue }) => ({ terms, catalogue }))
    const { terms, catalogue } = await revisions()
    await change(async ({ rows }) => rows("SELECT 1"))
    expect(await revisions()).toEqual({ terms, catalogue })
    await change(add("a"))
    expect(await revisions()).toEqual({ terms: terms + 1, catalogue })
    await change(add("b"), { moves: () => "catalogue" })
    await change(add("c"), { moves: () => "nothing" })
    expect(await revisions()).toEqual({ terms: terms + 2, catalogue: catalogue + 1 })
    const failing = change(async (transaction) => {
      await add("d")(transaction)
      throw new Error("on second thought")
    })
    await expect(failing).rejects.toThrow("on second thought")
    expect(await revisions()).toEqual({ terms: terms + 2, catalogue: catalogue + 1 })
  })

  test("whatever arrays hold comes back as it was, and int8 as numbers", async () => {
    await using at = await givenNetworks()
    const given = [
      [1, null, Number.MAX_SAFE_INTEGER],
      [0.1, null, -2],
      ['a,"b', "{}\\ ' NULL ü", null],
    ] as const
    const found = await at.direct.read(({ rows }) =>
      rows("SELECT * FROM unnest($1::bigint[], $2::double precision[], $3::text[]) AS given(a, b, c)", given),
    )
    expect(found).toEqual(given[0].map((a, place) => ({ a, b: given[1][place], c: given[2][place] })))
    const [empty] = await at.direct.read(({ rows }) => rows("SELECT $1::text[] AS a, array[1, 2]::bigint[] AS b", [[]]))
    expect(empty).toEqual({ a: [], b: [1, 2] })
  })
})
