import { unsupportedIn } from "../../domain/adcp/catalogue/check.ts"
import { type LineField, lineColumns } from "../../domain/campaign/line-fields.ts"
import type { ImportedLine, ImportedUser, ImportFile } from "../../domain/import/import-file.ts"
import type { PlannedLine } from "../../domain/import/import-plan.ts"
import { productIdOf } from "../../domain/import/import-plan.ts"
import type { User } from "../../domain/people/user.ts"
import type { Context } from "../context.ts"

/** A file that imports the same catalogue into an empty installation. Secrets are not stored, so they are not in it. */
export async function exportCatalogue({ store }: Pick<Context, "store">): Promise<ImportFile> {
  const all = await store.importExport.snapshot()
  const ownFormats = all.formats.filter(({ body }) => body !== null)
  const earlier = {
    formats: ownFormats.filter(({ body }) => unsupportedIn("format", body).length > 0).map(({ formatId }) => formatId),
    products: all.products
      .filter(({ body }) => unsupportedIn("product", body).length > 0)
      .map(({ body }) => productIdOf(body)),
  }
  const linesOf = Map.groupBy(all.lines, ({ campaign }) => campaign)
  return {
    organizations: all.organizations.map(({ slug, name, timeZone }) => ({ slug, name, time_zone: timeZone })),
    users: all.users.flatMap(exportUser),
    campaigns: all.campaigns.map(({ archived, ...campaign }) => ({
      ...campaign,
      ...(archived && { archived }),
      lines: (linesOf.get(campaign.slug) ?? []).map(exportLine),
    })),
    formats: ownFormats.map(({ body }) => body),
    hidden_formats: all.formats.filter(({ body }) => body === null).map(({ formatId }) => formatId),
    products: all.products.map(({ body }) => body),
    ...(all.productSellers.length > 0 && {
      product_sellers: all.productSellers.map(({ productId, seller }) => ({ product_id: productId, seller })),
    }),
    agent_keys: all.agentKeys.map(({ label, buyer, openings }) => ({
      label,
      ...(buyer && { buyer }),
      opened: openings.map(({ productId, territories }) => ({ product_id: productId, territories })),
    })),
    ...(earlier.formats.length + earlier.products.length > 0 && { stored_earlier: earlier }),
  }
}

/** One entry per organization of the person. */
function exportUser({ email, name, isOperator, memberships }: User): ImportedUser[] {
  const person = { email, name, ...(isOperator && { operator: true }) }
  if (memberships.length === 0) return [person]
  return memberships.map(({ organization, role }) => ({ ...person, organization, role }))
}

function exportLine(line: PlannedLine): ImportedLine {
  // Lines at a flat rate could once be booked by quantity, which meant nothing.
  const isMeaningless = (field: LineField) => field === "booked" && line.pricingBasis === "flat_rate"
  const filled = lineColumns.filter(({ field }) => line[field] != null && !isMeaningless(field))
  const fields = Object.fromEntries(filled.map(({ column, field }) => [column, line[field]]))
  const own = { package_id: line.packageId, seller: line.seller, ...fields, ...(line.archived && { archived: true }) }
  return own as unknown as ImportedLine
}
