import { readPackageId } from "../../domain/campaign/package-line.ts"
import type { Organization } from "../../domain/people/organization.ts"
import { UserError } from "../../domain/user-error.ts"
import type { SoldLineWithTotal, StoreReads } from "../../storage/port/store.ts"
import { findOrganization } from "./organization.ts"

export interface FoundLine extends SoldLineWithTotal {
  readonly seller: Organization
  readonly campaign: string
}

/** The line with this package ID, whoever sells it. */
export async function findLine(store: StoreReads, typed: string): Promise<FoundLine> {
  const packageId = readPackageId(typed)
  const place = packageId === undefined ? null : await store.packageLines.locate(packageId)
  const seller = place && (await findOrganization(store, place.seller))
  const [sold] = seller && packageId ? await store.packageLines.findSold(seller.id, [packageId]) : []
  if (place && seller && sold) return { ...sold, seller, campaign: place.campaign }
  throw new UserError(`There is no line "${typed}". "adbooth lines" shows them.`)
}
