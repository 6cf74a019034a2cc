import { join } from "node:path"
import { adbooth } from "../../test/binary.ts"
import { furnish, serve } from "../harness/booth.ts"
import { Ledger } from "../harness/ledger.ts"
import { system } from "../harness/mount.ts"
import { databaseProblems, type Part, scratch } from "../harness/part.ts"

const BATCH = 50
const FILES = ["adbooth.db", "adbooth.db-wal"]

export const readOnly: Part = {
  name: "read-only",
  promise:
    "items are internal_error and none is stored; reads go on; writable again it goes on; a start says what is wrong",
  async run() {
    using folder = scratch()
    const booth = await furnish(join(folder.path, "data"), { lines: 100 })
    const ledger = new Ledger(booth)
    const problems: string[] = []
    const files = FILES.map((file) => join(booth.data, file))
    await using server = await serve(booth.data)
    await ledger.send(server.url, BATCH)

    const refused = system("chattr", "+i", ...files)
    if (refused !== null) return { skipped: `Files cannot be made unchangeable here (${refused}).` }
    try {
      await ledger.send(server.url, BATCH)
      if (!ledger.verdicts.has("internal_error"))
        return { skipped: "This file system lets open files be written all the same." }
      if ((await fetch(`${server.url}/readyz`)).status !== 503) problems.push("/readyz did not tell")
      if ((await fetch(`${server.url}/openapi.json`)).status !== 200) problems.push("reads did not go on")
      const started = await adbooth(["import", "-", "--data", booth.data], { input: "{}" })
      if (started.code !== 1 || started.err.includes("should not"))
        problems.push(`a command ended with ${started.code}: ${started.err}`)
    } finally {
      system("chattr", "-i", ...files)
    }
    if ((await fetch(`${server.url}/readyz`)).status !== 200) problems.push("/readyz did not recover")
    await ledger.send(server.url, BATCH)
    if (ledger.acceptedCount !== 2 * BATCH) problems.push("it did not go on when the file was writable again")
    if ((await server.end("SIGTERM")) !== 0) problems.push("it did not stop cleanly")
    problems.push(...ledger.problems(booth.data), ...databaseProblems(booth.data))
    return {
      done: "the database and its log made unchangeable under a running server, then changeable",
      figures: `${BATCH} items internal_error and not there, ${ledger.acceptedCount} accepted and there, no restart`,
      problems,
    }
  },
}
