import { catalogueFormats } from "../domain/catalogue/catalogue-formats.ts"
import { checkFormat } from "../domain/catalogue/check-format.ts"
import { checkProduct } from "../domain/catalogue/check-product.ts"
import type { ImportFile } from "../domain/import-file.ts"
import { formatIdOf, type KnownThings } from "../domain/import-plan.ts"
import type { CatalogueChecks } from "../domain/import-problems.ts"

/** Checks for formats and products as they will stand beside each other once the file is imported. */
export function catalogueChecks(file: ImportFile, known: KnownThings): CatalogueChecks {
  const own = catalogueFormats(
    new Map<string, unknown>([
      ...known.formats,
      ...(file.hidden_formats ?? []).map((id): [string, unknown] => [id, null]),
      ...(file.formats ?? []).map((body): [string, unknown] => [formatIdOf(body), body]),
    ]),
  )
  return {
    format: (body) => checkFormat(body, own),
    product: (body) => checkProduct(body, own),
  }
}
