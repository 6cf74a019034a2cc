import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"

export const BENCH = dirname(import.meta.dir)
export const ROOT = dirname(BENCH)
export const BUN = process.execPath
export const NODE = Bun.which("node") ?? "node"
export const PRODUCT = join(ROOT, "dist", process.platform === "win32" ? "adbooth.exe" : "adbooth")

export interface Folder extends Disposable {
  readonly path: string
}

/** A folder of its own for each contender's database, gone when the scenario ends. */
export function temporaryFolder(): Folder {
  const path = mkdtempSync(join(tmpdir(), "adbooth-bench-"))
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) }
}
