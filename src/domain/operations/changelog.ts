/** What the changelog says about one version, in Markdown. */
export interface Release {
  readonly version: string
  readonly text: string
}

/** The releases of a changelog, in its order: the newest first. */
export function releasesIn(changelog: string): Release[] {
  const [, ...sections] = changelog.split(/^## /m)
  return sections.map((section) => {
    const [heading = "", ...lines] = section.split("\n")
    return { version: /^[^\s,]+/.exec(heading)?.[0] ?? "", text: lines.join("\n").trim() }
  })
}

/**
 * What changed for somebody who ran `previous` before `current`. Without a release of that name only the current one is told, because
 * it is not known how far back to go. Going back to an older version brings nothing new.
 */
export function changesSince(changelog: string, previous: string, current: string): Release[] {
  const releases = releasesIn(changelog)
  const place = (version: string) => releases.findIndex((release) => release.version === version)
  const [from, to] = [place(current), place(previous)]
  if (from === -1) return []
  return to === -1 ? releases.slice(from, from + 1) : releases.slice(from, Math.max(from, to))
}
