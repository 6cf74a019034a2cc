import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

/** A folder that is removed at the end of a test. */
export interface TemporaryFolder extends Disposable {
  readonly path: string
}

export function temporaryFolder(): TemporaryFolder {
  const path = mkdtempSync(join(tmpdir(), "adbooth-folder-"))
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) }
}

/** A port that nobody uses at the moment. */
export function freePort(): number {
  const server = Bun.serve({ port: 0, fetch: () => new Response() })
  const { port = 0 } = server
  void server.stop(true)
  return port
}
