import { Type } from "@sinclair/typebox"
import { storedAs } from "../schema/check.ts"

type VersionRun = Readonly<{ version: string; since: string }>

const VERSIONS_KEPT = 20

const read = storedAs(Type.Array(Type.Object({ version: Type.String(), since: Type.String() })))

/** The versions as they were stored, oldest first; none when there is nothing or something else. */
export const readVersions = (stored: string | null): readonly VersionRun[] => read(stored) ?? []

/** With this version as the one that runs; the same list if it ran last. */
export const withVersion = (runs: readonly VersionRun[], version: string, since: string): readonly VersionRun[] =>
  runs.at(-1)?.version === version ? runs : [...runs, { version, since }].slice(-VERSIONS_KEPT)

export const versionBefore = (runs: readonly VersionRun[], version: string): string | null =>
  runs.findLast((run) => run.version !== version)?.version ?? null

export type Release = Readonly<{ version: string; text: string }>

/** The releases of a changelog, in its order: the newest first. */
export function releasesIn(changelog: string): Release[] {
  const [, ...sections] = changelog.split(/^## /m)
  return sections.map((section) => {
    const [heading = "", ...lines] = section.split("\n")
    return { version: /^[^\s,]+/.exec(heading)?.[0] ?? "", text: lines.join("\n").trim() }
  })
}

/**
 * What changed for an operator who ran `previous` before `current`. Without a release of that name only the current one is told, because
 * it is not known how far back to go. Going back to an older version brings nothing new.
 */
export function changesSince(changelog: string, previous: string, current: string): Release[] {
  const releases = releasesIn(changelog)
  const indexOf = (version: string) => releases.findIndex((release) => release.version === version)
  const [from, to] = [indexOf(current), indexOf(previous)]
  if (from === -1) return []
  return to === -1 ? releases.slice(from, from + 1) : releases.slice(from, Math.max(from, to))
}
