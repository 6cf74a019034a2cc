import { randomInt } from "node:crypto"
import { existsSync, mkdtempSync, rmSync, statfsSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

const MEMORY = "/dev/shm"
// A container has 64 MB there, which is too little for our databases.
const MEMORY_BYTES_MIN = 2_000_000_000

function hasMemory(): boolean {
  if (!existsSync(MEMORY)) return false
  const { bavail, bsize } = statfsSync(MEMORY)
  return bavail * bsize >= MEMORY_BYTES_MIN
}

/** Where temporary files cost least: in memory, if there is enough. Each commit waits for the disk otherwise. */
export const quickFolder = hasMemory() ? MEMORY : tmpdir()

/** A folder that is removed at the end of a test. */
export interface TemporaryFolder extends Disposable {
  readonly path: string
}

export function temporaryFolder(): TemporaryFolder {
  const path = mkdtempSync(join(quickFolder, "adbooth-folder-"))
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) }
}

// Systems choose ports above these by themselves, so no connection or server takes one of them before the test does.
const [PORT_MIN, PORT_MAX] = [20_000, 32_000]

/** A port that nobody uses at the moment. */
export function freePort(): number {
  for (;;) {
    const port = randomInt(PORT_MIN, PORT_MAX)
    try {
      using listener = Bun.listen({ hostname: "0.0.0.0", port, socket: { data: () => undefined } })
      return listener.port
    } catch {
      // Somebody has it, so the next one is tried.
    }
  }
}
