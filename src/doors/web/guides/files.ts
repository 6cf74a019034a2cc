import changelog from "../../../../CHANGELOG.md" with { type: "text" }
import adcp32 from "../../../../docs/adcp-3.2.md" with { type: "text" }
import buyers from "../../../../docs/buyers.md" with { type: "text" }
import importFile from "../../../../docs/import-file.md" with { type: "text" }
import integrators from "../../../../docs/integrators.md" with { type: "text" }
import lifecycle from "../../../../docs/lifecycle.md" with { type: "text" }
import operations from "../../../../docs/operations.md" with { type: "text" }
import operators from "../../../../docs/operators.md" with { type: "text" }
import recipes from "../../../../docs/recipes.md" with { type: "text" }
import reliability from "../../../../docs/reliability.md" with { type: "text" }
import scaling from "../../../../docs/scaling.md" with { type: "text" }
import upgrade from "../../../../docs/upgrade.md" with { type: "text" }

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

interface GuideGroup {
  readonly title: string
  readonly guides: readonly GuideFile[]
}

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
    title: REFERENCE_GROUP,
    guides: [
      guide("integrators", integrators, "Report delivery and affiliate figures: feeds, fields, reasons, limits.", true),
      guide("buyers", buyers, "Find products and formats from a buyer's agent, with a snippet for each client.", true),
      guide("adcp-3.2", adcp32, "What the next release of the protocol will change."),
    ],
  },
  {
    title: "Operate",
    guides: [
      guide("operators", operators, "Organizations, campaigns, products, keys, and what buyers see.", true),
      guide("import-file", importFile, "Every field of the file that adbooth import reads."),
      guide("operations", operations, "Install, configure, back up, monitor."),
      guide("recipes", recipes, "Containers, cron, commands as the service's user, backups elsewhere."),
      guide("lifecycle", lifecycle, "Every way to get it, update it, move it and leave it."),
      guide("upgrade", upgrade, "Update to a new version, and go back."),
      guide("scaling", scaling, "Several servers on PostgreSQL."),
      guide("reliability", reliability, "What was tried to break it, and what came of it."),
      { ...guide("changelog", changelog, "What changed, version by version."), path: "CHANGELOG.md" },
    ],
  },
]
