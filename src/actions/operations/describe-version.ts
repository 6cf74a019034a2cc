import { changesSince, type Release } from "../../domain/operations/changelog.ts"
import { readVersions, versionBefore } from "../../domain/operations/versions-run.ts"
import type { StoreReads } from "../../storage/port/store.ts"

export interface VersionReport {
  /** In a sentence: which version runs, since when, and which one ran before. */
  readonly detail: string
  /** The version that ran before; null when none did. */
  readonly previous: string | null
  /** What changed since, newest first. */
  readonly changes: readonly Release[]
}

/** Which version this is, which one served from this database before, and what changed in between. */
export async function describeVersion(
  { settings }: StoreReads,
  version: string,
  changelog: string,
): Promise<VersionReport> {
  const runs = readVersions(await settings.get("versions_run"))
  const previous = versionBefore(runs, version)
  const last = runs.at(-1)
  const changes = previous === null ? [] : changesSince(changelog, previous, version)
  const before = previous === null ? "no other version before" : `${previous} before`
  if (last === undefined) return { detail: `${version}; no server has run on this data yet`, previous, changes }
  if (last.version !== version) {
    return { detail: `this program is ${version}; the last server on this data was ${last.version}`, previous, changes }
  }
  return { detail: `${version} since ${last.since}, ${before}`, previous, changes }
}
