import { Database } from "bun:sqlite"
import { version } from "../../package.json"

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
