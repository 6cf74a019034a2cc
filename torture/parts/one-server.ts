import { join } from "node:path"
import { furnish } from "../harness/booth.ts"
import type { Part } from "../harness/part.ts"
import { type Server, serve } from "../harness/program.ts"
import { storedInFile } from "../harness/stored.ts"

// Between taking the lock and writing down its process, the one that serves has no name yet.
const REFUSED = /in use by a server: (?:process \d+|one that is just starting)/

export const oneServer: Part = {
  name: "one-server",
  promise: "of many servers that start at once on one data directory, one serves, and the others say which one",
  async run({ folder, isShort, random, problem }) {
    const data = join(folder, "data")
    const { place } = await furnish(["--data", data], 1)
    const rounds = isShort ? 2 : 10
    const starts = isShort ? 8 : 40
    let refusals = 0
    for (let round = 0; round < rounds; round++) {
      const attempts = await Promise.allSettled(Array.from({ length: starts }, () => serve(place)))
      const servers = attempts.flatMap((attempt) => (attempt.status === "fulfilled" ? [attempt.value] : []))
      if (servers.length !== 1) problem(`round ${round}: ${servers.length} servers serve`)
      for (const attempt of attempts) {
        if (attempt.status === "fulfilled") continue
        refusals++
        const text = String(attempt.reason)
        if (!REFUSED.test(text)) problem(`round ${round}: one ended otherwise: ${text.slice(-300)}`)
      }
      await endAll(servers, random.oneOf(["SIGKILL", "SIGTERM"]))
      // The lock goes with its holder, however that ended.
      await (await serve(place)).end("SIGTERM")
    }
    for (const text of storedInFile(data).problems) problem(text)
    return `${rounds} rounds of ${starts} starts at once, ${refusals} refused`
  },
}

async function endAll(servers: readonly Server[], signal: NodeJS.Signals): Promise<void> {
  await Promise.all(servers.map((server) => server.end(signal)))
}
