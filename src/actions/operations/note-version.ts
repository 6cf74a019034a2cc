import { readVersions, versionBefore, withVersion } from "../../domain/operations/versions-run.ts"
import { formatMoment } from "../../domain/time/moment.ts"
import { type Context, writesOf } from "../context.ts"

export interface NotedVersion {
  /** Whether another version ran last, or none. */
  readonly isFirstStart: boolean
  /** The version that ran before; null when none did. */
  readonly previous: string | null
}

/** Stores which version serves now. */
export async function noteVersion(context: Context, version: string): Promise<NotedVersion> {
  const known = readVersions(await context.store.settings.get("versions_run"))
  const now = withVersion(known, version, formatMoment(context.clock()))
  const isFirstStart = now !== known
  if (isFirstStart) await writesOf(context).settings.set("versions_run", JSON.stringify(now))
  return { isFirstStart, previous: versionBefore(now, version) }
}
