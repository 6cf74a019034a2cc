import { join } from "node:path"
import { type Booth, furnish, type Server, serve } from "../../harness/booth.ts"
import { Ledger } from "../../harness/ledger.ts"
import type { Scenario } from "../recording.ts"
import { inspect } from "./inspect.ts"

const LINES = 20

/** A server that creates its data directory, then everything that an operator does first. */
export const firstStart: Scenario = {
  name: "first start",
  prepare: () => undefined,
  async act({ root, logs, disk, random }) {
    disk.slowDown(random.pick([0, 2]), 2)
    const data = join(root, "data")
    await using server = await serve(data, { env: disk.env, logs })
    const booth = await furnish(data, { lines: LINES, env: disk.env })
    const furnishedAt = disk.position()
    const ledger = new Ledger(booth, disk.position)
    for (let i = 0; i < 10; i++) await ledger.send(server.url, 1 + random.below(LINES))
    await server.end(random.pick(["SIGTERM", "SIGKILL"]))
    return async (left, position) => {
      const isFurnished = furnishedAt <= position
      const problems = await inspect(left, async (again) => (isFurnished ? await keyProblems(again, booth) : []))
      return isFurnished ? [...problems, ...ledger.problems(join(left, "data"), position)] : problems
    }
  },
}

async function keyProblems({ url }: Server, { ingestKey }: Booth): Promise<string[]> {
  const { status } = await fetch(`${url}/api/ingest/delivery/metrics?dry_run=true`, {
    method: "POST",
    headers: { Authorization: `Bearer ${ingestKey}`, "Content-Type": "application/json" },
    body: '{"items":[]}',
  })
  return status === 401 ? ["the first key is gone"] : []
}
