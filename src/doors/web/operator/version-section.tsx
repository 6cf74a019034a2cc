import changelog from "../../../../CHANGELOG.md" with { type: "text" }
import { version } from "../../../../package.json"
import { describeVersion, type VersionReport } from "../../../actions/operations/describe-version.ts"
import type { StoreReads } from "../../../storage/port/store.ts"
import { renderPart } from "../guides/library.ts"

// A longer list would push the settings out of sight.
const OPEN_CHARACTERS_MAX = 3_000

export function versionOf(store: StoreReads): Promise<VersionReport> {
  return describeVersion(store, version, changelog)
}

/** What the changelog says since the version that ran before. */
export function VersionSection({ about: { previous, changes } }: { readonly about: VersionReport }) {
  if (previous === null || changes.length === 0) return null
  return (
    <section class="stack">
      <h2>Changed since {previous}</h2>
      <p class="soft">
        The whole <a href="/docs/changelog">changelog</a>, and <a href="/docs/upgrade#going-back">how to go back</a>.
      </p>
      {changes.map((release) => (
        <details key={release.version} class="card" open={release.text.length < OPEN_CHARACTERS_MAX}>
          <summary>Version {release.version}</summary>
          <div class="prose" dangerouslySetInnerHTML={{ __html: renderPart("changelog", release.text) }} />
        </details>
      ))}
    </section>
  )
}
