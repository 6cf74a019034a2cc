// Promise: nothing is answered accepted that went into a file which was deleted or replaced.
// Held by test/trust/one-server.test.ts.
import { type Stats, statSync } from "node:fs"
import { dirname, join } from "node:path"
import { StoreUnavailable } from "../../port/unavailable.ts"
import { LOCK_FILE } from "./directory-lock.ts"

/**
 * Remembers which files a database was opened from. The result names one that was deleted or replaced since: whatever is written goes to
 * a file that nobody will find again. Null while all are in their place. Asked for each commit, so it must stay cheap.
 */
export function openFiles(databaseFile: string): () => string | null {
  const lock = join(dirname(databaseFile), LOCK_FILE)
  const files = [databaseFile, `${databaseFile}-wal`, `${databaseFile}-shm`, lock].flatMap((path) => {
    const file = fileAt(path)
    return file === undefined ? [] : [{ path, dev: file.dev, ino: file.ino }]
  })
  return () => {
    for (const { path, dev, ino } of files) {
      const now = fileAt(path)
      if (now?.ino !== ino || now.dev !== dev) return path
    }
    return null
  }
}

function fileAt(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false })
  } catch {
    // What cannot be looked at cannot be found at the next start either.
    return undefined
  }
}

export class FilesLost extends StoreUnavailable {
  override readonly name = "FilesLost"

  constructor(path: string) {
    super(
      `${path} was deleted or replaced while the server runs: nothing that it accepts would be there after a restart. ` +
        "Stop the server, put the file back or restore a backup, then start it again",
    )
  }
}
