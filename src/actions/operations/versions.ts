import { Database } from "bun:sqlite"
import { basename } from "node:path"
import { version } from "../../../package.json"
import { copyBeforeUpgrade } from "../../storage/sqlite/rollback.ts"
import type { Context } from "../context.ts"

// Filled in by scripts/build.ts. There is none when the program runs from source.
declare const ADBOOTH_COMMIT: string | undefined

export const VERSION = version

/** For people and bug reports. */
export function versions(): Readonly<Record<string, string>> {
  using memory = new Database(":memory:")
  const sqlite = memory.query<{ version: string }, []>("SELECT sqlite_version() AS version").get()
  return {
    adbooth: version,
    commit: typeof ADBOOTH_COMMIT === "string" ? ADBOOTH_COMMIT : "source",
    bun: Bun.version,
    sqlite: sqlite?.version ?? "unknown",
  }
}

/** The name of the copy that was made before the last upgrade. Null if there is none. PostgreSQL needs a backup of its own. */
export function copyFromBefore({ config }: Pick<Context, "config">): string | null {
  const copy = config.databaseUrl === null ? copyBeforeUpgrade(config.data) : null
  return copy && basename(copy)
}
