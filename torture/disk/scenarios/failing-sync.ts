import { cpSync } from "node:fs"
import { join } from "node:path"
import { type Server, serve } from "../../harness/booth.ts"
import { Ledger } from "../../harness/ledger.ts"
import type { DiskControl, DiskError } from "../disk-control.ts"
import type { Scenario } from "../recording.ts"
import { inspect } from "./inspect.ts"
import type { Furnished } from "./load.ts"

const CLIENTS = 12
const ITEMS_MAX = 100
const BEFORE_MS = 300
const FULL_MS = 300
const RECOVERS_WITHIN_MS = 60_000

/** What came out of the runs. */
export interface Failures {
  accepted: number
  refused: number
  failedSyncs: number
  restarts: number
  slowestRecoveryMs: number
  readonly problems: string[]
}

/**
 * One sync fails under load: with EIO and never again, or with ENOSPC and every write after it, until there is room again. What was
 * accepted meanwhile is compared with what a power cut leaves.
 */
export function failingSync({ booth }: Furnished, error: DiskError, failures: Failures): Scenario {
  return {
    name: `a sync that fails with ${error}`,
    prepare: (root) => cpSync(booth.data, join(root, "data"), { recursive: true }),
    async act({ root, logs, disk, random }) {
      const data = join(root, "data")
      disk.slowDown(random.pick([0, 3]), 2)
      const ledger = new Ledger({ ...booth, data }, disk.position)
      await using stack = new AsyncDisposableStack()
      let server = stack.use(await serve(data, { env: disk.env, logs }))
      let isOver = false
      const send = () => ledger.send(server.url, 1 + random.below(ITEMS_MAX)).catch(() => Bun.sleep(20))
      const clients = Array.from({ length: CLIENTS }, async () => {
        while (!isOver) await send()
      })
      await Bun.sleep(BEFORE_MS * (0.5 + random.next()))
      await fail(disk, error)
      const failedAt = performance.now()
      const code = await Promise.race([acceptsAgain(ledger), server.ended])
      if (code === false) failures.problems.push(`it neither accepts nor ends after ${error}`)
      if (typeof code === "number") {
        // As a service manager does.
        failures.restarts += 1
        if (code !== 1) failures.problems.push(`it ends with ${code} after ${error}`)
        server = stack.use(await serve(data, { env: disk.env, logs }))
        if (!(await acceptsAgain(ledger))) failures.problems.push(`it never accepts again after ${error}`)
      }
      failures.slowestRecoveryMs = Math.max(failures.slowestRecoveryMs, performance.now() - failedAt)
      isOver = true
      await Promise.all(clients)
      failures.problems.push(...(await liveProblems(server)))
      await server.end("SIGKILL")
      note(ledger, disk, failures)
      return async (left, position) => [...(await inspect(left)), ...ledger.problems(join(left, "data"), position)]
    },
  }
}

/** Waits until a sync has failed; a full disk stays full for a while. */
async function fail(disk: DiskControl, error: DiskError): Promise<void> {
  disk.failSyncs(1, error)
  if (error === "ENOSPC") disk.failWrites(error)
  const until = performance.now() + RECOVERS_WITHIN_MS
  // On a full disk the writes fail before there is anything to sync.
  while (disk.seen().failedSyncs + disk.seen().failedWrites === 0 && performance.now() < until) await Bun.sleep(2)
  if (error === "ENOSPC") await Bun.sleep(FULL_MS)
  disk.failWrites(null)
  disk.failSyncs(0, error)
}

async function acceptsAgain(ledger: Ledger): Promise<boolean> {
  const before = ledger.acceptedCount
  const until = performance.now() + RECOVERS_WITHIN_MS
  while (ledger.acceptedCount <= before + ITEMS_MAX * CLIENTS && performance.now() < until) await Bun.sleep(20)
  return ledger.acceptedCount > before + ITEMS_MAX * CLIENTS
}

async function liveProblems({ url }: Server): Promise<string[]> {
  const { status } = await fetch(`${url}/readyz`)
  return status === 200 ? [] : [`/readyz answers ${status} after it accepts again`]
}

function note(ledger: Ledger, disk: DiskControl, failures: Failures): void {
  failures.accepted += ledger.acceptedCount
  failures.refused += [...ledger.verdicts].reduce(
    (sum, [verdict, count]) => sum + (verdict === "accepted" ? 0 : count),
    0,
  )
  failures.failedSyncs += disk.seen().failedSyncs
}
