import type { Change } from "../../domain/people/audit.ts"
import type { Logo } from "../../domain/people/logo.ts"
import type { Organization } from "../../domain/people/organization.ts"

export type Organizations = OrganizationReads & OrganizationWrites

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

export interface OrganizationWrites {
  /** Null when the slug is taken. */
  create(added: Omit<Organization, "id">, change: Change): Promise<Organization | null>
  /** Null when no organization has this slug. The slug never changes, because files and scripts refer to it. */
  edit(
    slug: string,
    edited: Pick<Organization, "name" | "timeZone">,
    change: Change,
  ): Promise<Organization | null | "changed">
  /** Null removes it. False when there was nothing to remove. */
  setLogo(organization: Pick<Organization, "id" | "slug">, logo: Logo | null, change: Change): Promise<boolean>
  /** Deletes an organization that has no members, keys, campaigns, lines or affiliate codes. Open invitations go with it. */
  remove(slug: string, change: Change): Promise<"done" | "not found" | "in use">
}

export interface OrganizationOverview extends Organization {
  readonly members: number
  readonly activeKeys: number
  readonly linesSold: number
  readonly campaignsBought: number
}
