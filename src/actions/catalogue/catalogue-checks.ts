import { builtInFormats, catalogueFormats } from "../../domain/adcp/catalogue/built-in/index.ts"
import { brokenReferences, type CatalogueContents } from "../../domain/adcp/catalogue/catalogue-edit.ts"
import { checkFormat, checkProduct } from "../../domain/adcp/catalogue/check.ts"
import type { ImportFile } from "../../domain/import/import-file.ts"
import { type ExistingData, formatIdOf, productIdOf } from "../../domain/import/import-plan.ts"
import type { CatalogueChecks } from "../../domain/import/import-problems.ts"
import type { SchemaProblem } from "../../domain/schema/check.ts"

/** Checks formats and products against the catalogue as it will be after the import. */
export function catalogueChecks(file: ImportFile, existing: ExistingData): CatalogueChecks {
  const formats = new Map<string, unknown>([
    ...existing.formats,
    ...(file.hidden_formats ?? []).map((id): [string, unknown] => [id, null]),
    ...(file.formats ?? []).map((body): [string, unknown] => [formatIdOf(body), body]),
  ])
  const own = catalogueFormats(formats)
  const replaced = new Set((file.products ?? []).map(productIdOf))
  const products = new Map([...existing.products].filter(([id]) => !replaced.has(id)))
  return {
    format: (body) => checkFormat(body, own),
    product: (body) => checkProduct(body, own),
    lost: () => {
      const readable = (file.formats ?? []).every((body) => checkFormat(body, own).length === 0)
      return [...unknownHidden(file, existing), ...(readable ? lostFormats(file, { products, formats }) : [])]
    },
  }
}

/** A format that does not exist cannot be hidden: most likely its id is mistyped. */
function unknownHidden({ hidden_formats = [] }: ImportFile, existing: ExistingData): SchemaProblem[] {
  const ids = new Set([...builtInFormats.map(({ format_id }) => format_id.id), ...existing.formats.keys()])
  return hidden_formats.flatMap((id, i) =>
    ids.has(id) ? [] : [{ pointer: `/hidden_formats/${i}`, message: `there is no format "${id}"` }],
  )
}

/** A file must not hide or replace a format that a stored product refers to. */
function lostFormats(file: ImportFile, after: CatalogueContents): SchemaProblem[] {
  const hidden = file.hidden_formats ?? []
  const changed = (file.formats ?? []).map(formatIdOf)
  return brokenReferences(after).flatMap(({ formatId, sentence }) => {
    if (changed.includes(formatId)) return [{ pointer: `/formats/${changed.indexOf(formatId)}`, message: sentence }]
    if (hidden.includes(formatId))
      return [{ pointer: `/hidden_formats/${hidden.indexOf(formatId)}`, message: sentence }]
    return []
  })
}
