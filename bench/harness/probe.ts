import { join } from "node:path"
import { createInterface } from "node:readline"
import { Readable } from "node:stream"
import { BENCH, BUN } from "./places.ts"
import type { Running } from "./process.ts"

/** How long others had to wait, in ms, and how many of them were failed. */
export interface Waits {
  readonly healthz: number
  readonly delivery: number
  readonly failed: number
}

export interface Probe extends AsyncDisposable {
  /** The longest waits since this was asked last. */
  waits(): Promise<Waits>
}

/** Asks a server again and again from a process of its own, so that the work of the bench itself is not measured. */
export function startProbe(server: Running, key: string, packageId: string): Probe {
  const command = [BUN, join(BENCH, "load", "probe.ts"), server.url, key, packageId]
  const child = Bun.spawn(command, { stdin: "pipe", stdout: "pipe", stderr: "inherit" })
  const lines = createInterface({ input: Readable.from(child.stdout) })[Symbol.asyncIterator]()
  return {
    async waits() {
      child.stdin.write("\n")
      child.stdin.flush()
      return JSON.parse((await lines.next()).value ?? "")
    },
    async [Symbol.asyncDispose]() {
      child.stdin.end()
      await child.exited
    },
  }
}
