import { Database } from "bun:sqlite"
import { version } from "../../package.json"

// Put in by scripts/build.ts; run from source there is none.
declare const ADBOOTH_COMMIT: string | undefined

export const commit = typeof ADBOOTH_COMMIT === "string" ? ADBOOTH_COMMIT : "source"

// Protocol versions that the sales agent supports.
export const ADCP_RELEASE = "3.1"
export const MCP_VERSIONS = ["2026-07-28", "2025-11-25", "2025-06-18", "2025-03-26"]

/** For people and bug reports. */
export function versions(): Readonly<Record<string, string>> {
  using memory = new Database(":memory:")
  const sqlite = memory.query<{ version: string }, []>("SELECT sqlite_version() AS version").get()
  return {
    adbooth: version,
    commit,
    bun: Bun.version,
    sqlite: sqlite?.version ?? "unknown",
    adcp: ADCP_RELEASE,
    mcp: MCP_VERSIONS.join(", "),
  }
}
