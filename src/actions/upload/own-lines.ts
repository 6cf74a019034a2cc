import { readPackageId } from "../../domain/campaign/package-line.ts"
import type { Remembered } from "../../domain/upload/recognize-file.ts"
import type { Upload, UploadChoices } from "../../domain/upload/upload.ts"
import type { SoldLineWithTotal, StoreReads } from "../../storage/port/store.ts"

/** The line that a text in a file means, and how many have that name where it matters. */
export type MeantLine = Readonly<{ line: SoldLineWithTotal | undefined; namesakes: number | null }>

const plainName = (name: string) => name.trim().toLowerCase()

export type OwnLines = Awaited<ReturnType<typeof ownLines>>

/**
 * The lines of a seller by the IDs for the API, by the seller's own, by their names in whatever case, and by what somebody said that they
 * are: remembered, or of this file. Affiliate figures are of codes, which name no line.
 */
export async function ownLines(
  { packageLines }: StoreReads,
  { kind, organizationId }: Pick<Upload, "kind" | "organizationId">,
  remembered: Remembered,
  matches: UploadChoices["matches"] = {},
) {
  const lines = kind === "affiliate_metrics" ? [] : await packageLines.allSold(organizationId)
  const matched = new Map([...remembered.lines, ...Object.entries(matches)])
  const byPackage = new Map<string, SoldLineWithTotal>(lines.map((line) => [line.packageId, line]))
  const ids = new Map(lines.map((line) => [line.externalId, line]))
  const names = Map.groupBy(lines, (line) => plainName(line.name))
  /** Those that are not archived, if there are any. */
  const namesakes = (text: string) => {
    const all = names.get(plainName(text)) ?? []
    const current = all.filter(({ archived }) => !archived)
    return current.length > 0 ? current : all
  }
  const byPackageId = (text: string) => byPackage.get(readPackageId(text) ?? "")
  const byId = (text: string) => ids.get(text)
  const byName = (text: string) => {
    const [line, ...others] = namesakes(text)
    return others.length === 0 ? line : undefined
  }
  return {
    byPackageId,
    byId,
    byName,
    /** By the seller's own ID or by name, whichever the column is said to have first; then as somebody said. */
    named(text: string, isName: boolean): MeantLine {
      const [first, second] = isName ? [byName, byId] : [byId, byName]
      const count = namesakes(text).length
      return {
        line: first(text) ?? second(text) ?? byPackageId(matched.get(text) ?? ""),
        namesakes: isName || count > 1 ? count : null,
      }
    },
  }
}
