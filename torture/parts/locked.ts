import { Database } from "bun:sqlite"
import { join } from "node:path"
import { furnish } from "../harness/booth.ts"
import { Ledger, outcomesOf } from "../harness/ledger.ts"
import { acceptedAgain, startLoad, startProbe } from "../harness/load.ts"
import { type Part, rounded } from "../harness/part.ts"
import { serve } from "../harness/program.ts"
import { storedInFile } from "../harness/stored.ts"

const WAIT_MS_MAX = 6_500
const PROBE_MS_MAX = 500

export const locked: Part = {
  name: "locked",
  promise: "while another process holds the lock, writes wait five seconds and fail, and reads go on",
  async run({ folder, isShort, problem, late }) {
    const data = join(folder, "data")
    const booth = await furnish(["--data", data], 100)
    const ledger = new Ledger(booth)
    await using server = await serve(booth.place)
    await ledger.send(server.url, 20)

    const holder = new Database(join(data, "adbooth.db"))
    holder.run("PRAGMA busy_timeout = 5000")
    holder.run("BEGIN IMMEDIATE")
    const probe = startProbe(`${server.url}/app/sign-in`)
    const load = startLoad(ledger, { clients: 4, itemsMax: 20, seed: 1, url: () => server.url })
    await Bun.sleep(isShort ? 7_000 : 30_000)
    holder.run("ROLLBACK")
    holder.close()
    const again = await acceptedAgain(ledger, server.url)
    await load.stop()
    const { slowestMs, wrong } = await probe.stop()

    if (again === null) problem("nothing was accepted when the lock was gone")
    if (!ledger.outcomes.has("internal_error")) problem("nothing failed while the database was locked")
    if (wrong.length > 0) problem(`a page answered ${wrong.join(", ")} meanwhile`)
    if (load.slowestMs() > WAIT_MS_MAX) late(`a report waited ${rounded(load.slowestMs())}`)
    if (slowestMs > PROBE_MS_MAX) late(`a page took ${rounded(slowestMs)}`)
    if ((await server.end("SIGTERM")) !== 0) problem("it didn't stop cleanly")
    const { reports, problems } = storedInFile(data)
    for (const text of [...ledger.problems(reports), ...problems]) problem(text)
    const waits = `slowest report ${rounded(load.slowestMs())}, slowest page ${rounded(slowestMs)}`
    return `${outcomesOf(ledger)}, ${waits}, accepted again after ${rounded(again ?? 0)}`
  },
}
