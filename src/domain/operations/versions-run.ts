import { Type } from "@sinclair/typebox"
import { Value } from "@sinclair/typebox/value"

/** A version of the program that served from this database. */
interface VersionRun {
  readonly version: string
  /** When it first did, RFC 3339. */
  readonly since: string
}

const STORED = Type.Array(Type.Object({ version: Type.String(), since: Type.String() }))
const VERSIONS_KEPT = 20

/** The versions as they were stored, oldest first; none when there is nothing or something else. */
export function readVersions(stored: string | null): readonly VersionRun[] {
  if (stored === null) return []
  try {
    const value: unknown = JSON.parse(stored)
    return Value.Check(STORED, value) ? value : []
  } catch {
    return []
  }
}

/** With this version as the one that runs; the same list if it ran last. */
export function withVersion(runs: readonly VersionRun[], version: string, since: string): readonly VersionRun[] {
  return runs.at(-1)?.version === version ? runs : [...runs, { version, since }].slice(-VERSIONS_KEPT)
}

/** The version that ran before this one; null when none did. */
export function versionBefore(runs: readonly VersionRun[], version: string): string | null {
  return runs.findLast((run) => run.version !== version)?.version ?? null
}
