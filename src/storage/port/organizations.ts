import type { Logo } from "../../domain/people/logo.ts"
import type { Organization } from "../../domain/people/organization.ts"

export interface OrganizationReads {
  findBySlug(slug: string): Promise<Organization | null>
  /** By slug; with a limit, the first of them. */
  list(limit?: number): Promise<Organization[]>
  /** These organizations, by slug, with the number of their members, keys, lines and campaigns. */
  overview(ids: readonly number[]): Promise<OrganizationOverview[]>
  /** The first ones that sell, by slug: all but those that only buy. */
  sellers(limit: number): Promise<Organization[]>
  /** The first ones that only buy and have people who can sign in, by slug. */
  buyersWithPeople(limit: number): Promise<Organization[]>
  standing(organizationId: number): Promise<OrganizationStanding>
  /** The picture on its reports. */
  logo(organizationId: number): Promise<Logo | null>
}

export interface OrganizationStanding {
  /** Whether it has bought a campaign, and has nothing to sell with: no line and no active API key. */
  readonly onlyBuys: boolean
  /** Whether what it sells, or only buys, has affiliate codes. */
  readonly hasCodes: boolean
}

export interface OrganizationOverview extends Organization {
  readonly members: number
  readonly activeKeys: number
  readonly linesSold: number
  readonly campaignsBought: number
}
