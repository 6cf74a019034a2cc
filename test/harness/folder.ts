import { randomInt } from "node:crypto"
import { existsSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

/** Where temporary files cost least: in memory, if there is such a folder. Each commit waits for the disk otherwise. */
export const quickFolder = existsSync("/dev/shm") ? "/dev/shm" : tmpdir()

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
