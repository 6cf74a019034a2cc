import { mkdtempSync, readdirSync, rmSync, statSync } from "node:fs"
import { dirname, join, resolve } from "node:path"
import { messageOf, UserError } from "../../domain/errors.ts"

const PREFIX = ".adbooth-partial-"
const ABANDONED_MS = 24 * 3_600_000

/** A private folder for unfinished files, deleted when it's disposed of. It's on the same disk as `path`, so files can be renamed. */
export function workFolderFor(path: string): Disposable & { readonly path: string } {
  const parent = dirname(resolve(path))
  removeAbandoned(parent)
  try {
    const folder = mkdtempSync(join(parent, PREFIX))
    return { path: folder, [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }) }
  } catch (cause) {
    throw new UserError(`No file can be created in ${parent} (${messageOf(cause)}). Choose another folder.`, { cause })
  }
}

/** Programs that were killed leave such folders behind. */
function removeAbandoned(parent: string): void {
  try {
    for (const name of readdirSync(parent)) {
      if (!name.startsWith(PREFIX)) continue
      const folder = join(parent, name)
      const isAbandoned = Date.now() - statSync(folder).mtimeMs > ABANDONED_MS
      if (isAbandoned) rmSync(folder, { recursive: true, force: true })
    }
  } catch {
    // Another user's folder can stay.
  }
}
