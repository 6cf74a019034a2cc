import type { Logo } from "../../domain/people/logo.ts"
import type { Organization } from "../../domain/people/organization.ts"

export interface OrganizationReads {
  findBySlug(slug: string): Promise<Organization | null>
  /** By slug; with a limit, the first of them. */
  list(limit?: number): Promise<Organization[]>
  /** These organizations, by slug, with the number of their members, keys, lines and campaigns. */
  overview(ids: readonly number[]): Promise<OrganizationOverview[]>
  /** Whether the organization has bought a campaign, and has nothing to sell with: no line and no active API key. */
  onlyBuys(organizationId: number): Promise<boolean>
  /** The picture on its reports. */
  logo(organizationId: number): Promise<Logo | null>
}

export interface OrganizationOverview extends Organization {
  readonly members: number
  readonly activeKeys: number
  readonly linesSold: number
  readonly campaignsBought: number
}
