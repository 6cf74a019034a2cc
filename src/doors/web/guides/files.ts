import changelog from "../../../../CHANGELOG.md" with { type: "text" }
import buyers from "../../../../docs/buyers.md" with { type: "text" }
import files from "../../../../docs/files.md" with { type: "text" }
import firstFeed from "../../../../docs/first-feed.md" with { type: "text" }
import firstHour from "../../../../docs/first-hour.md" with { type: "text" }
import importFile from "../../../../docs/import-file.md" with { type: "text" }
import lifecycle from "../../../../docs/lifecycle.md" with { type: "text" }
import operations from "../../../../docs/operations.md" with { type: "text" }
import operators from "../../../../docs/operators.md" with { type: "text" }
import reasons from "../../../../docs/reasons.md" with { type: "text" }
import reliability from "../../../../docs/reliability.md" with { type: "text" }
import scaling from "../../../../docs/scaling.md" with { type: "text" }
import selling from "../../../../docs/selling.md" with { type: "text" }
import settings from "../../../../docs/settings.md" with { type: "text" }
import severalSellers from "../../../../docs/several-sellers.md" with { type: "text" }
import stability from "../../../../docs/stability.md" with { type: "text" }
import withoutPrograms from "../../../../docs/without-programs.md" with { type: "text" }

export interface GuideFile {
  /** Its address is /docs/ and this. */
  readonly slug: string
  /** Its path in the repository, which links in other guides name. */
  readonly path: string
  readonly text: string
  readonly about: string
  /** Whether the addresses in its examples are those of this installation. */
  readonly isAboutThisInstallation: boolean
}

type GuideGroup = Readonly<{ title: string; guides: readonly GuideFile[] }>

const guide = (slug: string, text: string, about: string, isAboutThisInstallation = false): GuideFile => ({
  slug,
  path: `docs/${slug}.md`,
  text,
  about,
  isAboutThisInstallation,
})

/** The reference is made from the description of the API. It is listed in this group. */
export const REFERENCE_GROUP = "Connect"
export const REFERENCE = {
  href: "/docs/api",
  title: "API reference",
  about: "Every address, field, status and header of the ingest API.",
} as const

/** The guides as they are in the repository, embedded in the executable. */
export const GUIDE_GROUPS: readonly GuideGroup[] = [
  {
    title: "Begin",
    guides: [
      guide("without-programs", withoutPrograms, "Everything that is done by clicking."),
      guide("first-hour", firstHour, "From a bare machine to a booth that sells."),
    ],
  },
  {
    title: REFERENCE_GROUP,
    guides: [
      guide("first-feed", firstFeed, "Send totals and affiliate figures from your own system.", true),
      guide("files", files, "CSV files and exports of other systems."),
      guide("reasons", reasons, "Why an item or a request was refused, with examples."),
      guide("buyers", buyers, "Find products and formats from a buyer's agent, with a snippet for each client.", true),
    ],
  },
  {
    title: "Operate",
    guides: [
      guide("operators", operators, "Products, keys, and what buyers' agents see."),
      guide("selling", selling, "Orders, answers and statements of delivery."),
      guide("several-sellers", severalSellers, "Who answers, who sees what, and how a seller is added."),
      guide("import-file", importFile, "Every field of the file that adbooth import reads."),
      guide("operations", operations, "HTTPS, people, backups, mail and alerts, metrics."),
      guide("settings", settings, "Every option of the server, and its default."),
      guide("lifecycle", lifecycle, "Ways to install, update, go back, move, export and uninstall."),
      guide("scaling", scaling, "Several servers on PostgreSQL."),
      guide("reliability", reliability, "What it withstands."),
      guide("stability", stability, "What stays as it is for those who build on it."),
      { ...guide("changelog", changelog, "What changed, version by version."), path: "CHANGELOG.md" },
    ],
  },
]
