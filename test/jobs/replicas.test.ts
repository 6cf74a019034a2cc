import { expect, test } from "bun:test"
import { readdirSync } from "node:fs"
import { join } from "node:path"
import { lastBackup } from "../../src/actions/operations/backups.ts"
import { call, loggedCalls } from "../doors/agent/buyer.ts"
import { startApp } from "../harness.ts"
import { networkTo } from "../storage/postgres/network.ts"
import { freshDatabase, noPostgres } from "../storage/postgres/server.ts"
import { until } from "../until.ts"

const REPLICAS = 3
const PRUNES = "DELETE FROM agent_call"

/** Replicas on one database, started at the same time, and which of them have deleted calls. */
async function startReplicas(options: Readonly<Record<string, string>>) {
  const opened = new AsyncDisposableStack()
  const { url } = opened.use(await freshDatabase())
  const first = opened.use(await startApp({ options: { databaseUrl: url } }))
  await call(first, "get_products", { brief: "a" })
  expect(await loggedCalls(first)).toHaveLength(1)
  first.clock.advance({ days: 400 })
  const pruned = new Set<number>()
  const starting = Array.from({ length: REPLICAS }, async (_, n) => {
    const { hostname, port } = new URL(url)
    const network = opened.use(networkTo(hostname, Number(port)))
    network.fate = (sent) => {
      if (sent.includes(PRUNES)) pruned.add(n)
      return "pass"
    }
    const through = new URL(url)
    through.host = `127.0.0.1:${network.port}`
    return opened.use(await startApp({ beside: first, options: { ...options, databaseUrl: through.href } }))
  })
  const replicas = await Promise.all(starting)
  return { first, replicas, pruned, [Symbol.asyncDispose]: () => opened.disposeAsync() }
}

test.skipIf(noPostgres !== null)("of several replicas one prunes the call log", async () => {
  await using at = await startReplicas({})
  await until(async () => (await loggedCalls(at.first)).length === 0)
  expect(at.pruned.size).toBe(1)
})

test.skipIf(noPostgres !== null)("of several replicas one makes the scheduled backup", async () => {
  await using at = await startReplicas({ backupEvery: "24h" })
  await until(async () => (await lastBackup(at.first.store)) !== null)
  const made = at.replicas.flatMap(({ logged }) => logged.filter((line) => line.includes("backup made")))
  expect(made).toHaveLength(1)
  expect(readdirSync(join(at.first.config.data, "backups"))).toHaveLength(1)
})
