import { join } from "node:path"
import { drive } from "../load/drive.ts"
import { COUNTER_MARK } from "../load/job.ts"
import { type BenchRequest, writeRequests } from "../load/requests-file.ts"
import { temporaryFolder } from "./places.ts"
import type { Running } from "./process.ts"
import { cpuSecondsOf } from "./processor-time.ts"
import type { Contender } from "./scenario.ts"

export interface Load {
  /** The requests of a pass; a later pass brings newer figures, so that every request has something to write. */
  requests(pass: number): readonly BenchRequest[]
  readonly connections: number
  /** What one request is worth in the unit of the table: 500 when items are counted. */
  readonly worth: number
}

/** A server that is measured from outside, over loopback. Owns the server: it stops with the contender. */
export function serverContender(
  name: string,
  server: Running,
  load: Load,
  cpuSeconds = () => cpuSecondsOf(server.pid),
): Contender {
  const folder = temporaryFolder()
  const requestsFile = join(folder.path, "requests")
  let pass = 0
  return {
    name,
    async measure(seconds) {
      await writeRequests(requestsFile, load.requests(pass++))
      const before = cpuSeconds()
      const driven = await drive({ url: server.url, requestsFile, connections: load.connections, seconds })
      const micros = ((cpuSeconds() - before) * 1_000_000) / driven.requests
      return { perSecond: (driven.requests / driven.seconds) * load.worth, micros }
    },
    async [Symbol.asyncDispose]() {
      folder[Symbol.dispose]()
      await server[Symbol.asyncDispose]()
    },
  }
}

/** Asks once and gives the answer, so that a scenario can make sure that every contender really does the work. */
export async function askOnce(server: Running, request: BenchRequest | undefined): Promise<unknown> {
  if (request === undefined) throw new Error("a load has at least one request")
  const body = request.body.replaceAll(COUNTER_MARK, "000000")
  const response = await fetch(new URL(request.path, server.url), { method: "POST", headers: request.headers, body })
  const text = await response.text()
  if (response.status !== 200) throw new Error(`${server.url}${request.path}: ${response.status} ${text}`)
  const event = /^data: (.*)$/m.exec(text)?.[1]
  return JSON.parse(event ?? text)
}
