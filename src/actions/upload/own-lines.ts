import { readPackageId } from "../../domain/campaign/package-line.ts"
import type { UploadChoices } from "../../domain/upload/upload.ts"
import type { SoldLineWithTotal, StoreReads } from "../../storage/port/store.ts"

/** The line that a text in a file means, and how many have that name where it matters. */
export type MeantLine = Readonly<{ line: SoldLineWithTotal | undefined; namesakes: number | null }>

export const NO_LINE: MeantLine = { line: undefined, namesakes: null }

const plainName = (name: string) => name.trim().toLowerCase()

/** The lines of a seller by the IDs for the API, by the seller's own, by their names in whatever case, and by what somebody said that they are. */
export async function ownLines(
  { packageLines, uploads }: StoreReads,
  sellerId: number,
  matches: UploadChoices["matches"] = {},
) {
  const lines = await packageLines.allSold(sellerId)
  const matched = new Map([...(await uploads.remembered(sellerId)).lines, ...Object.entries(matches)])
  const byPackage = new Map<string, SoldLineWithTotal>(lines.map((line) => [line.packageId, line]))
  const ids = new Map(lines.map((line) => [line.externalId, line]))
  const names = Map.groupBy(lines, (line) => plainName(line.name))
  /** Those that are not archived, if there are any. */
  const namesakes = (text: string) => {
    const all = names.get(plainName(text)) ?? []
    const current = all.filter(({ archived }) => !archived)
    return current.length > 0 ? current : all
  }
  const byPackageId = (text = "") => byPackage.get(readPackageId(text) ?? "")
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
        line: first(text) ?? second(text) ?? byPackageId(matched.get(text)),
        namesakes: isName || count > 1 ? count : null,
      }
    },
  }
}
