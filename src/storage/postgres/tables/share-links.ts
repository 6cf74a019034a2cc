import type { Moment } from "../../../domain/time/moment.ts"
import type { ShareLinkReads } from "../../port/store.ts"
import type { Connection } from "../engine/connection.ts"

// The first read of a guest's request: it brings the revisions along, even if the link does not work.
const FIND_BY_TOKEN = `
  SELECT r.terms, r.catalogue, s.organization_id AS "organizationId", c.slug AS campaign, s.expires_at AS "expiresAt"
  FROM revision r
  LEFT JOIN (share_link s JOIN campaign c ON c.id = s.campaign_id)
    ON s.token_hash = $1 AND s.revoked_at IS NULL AND s.expires_at > $2`

interface FoundRow {
  readonly terms: number
  readonly catalogue: number
  readonly organizationId: number | null
  readonly campaign: string
  readonly expiresAt: Moment
}

export function shareLinks({ read, caches }: Connection): Pick<ShareLinkReads, "findByToken"> {
  return {
    async findByToken(tokenHash, now) {
      const [found] = await read(({ rows }) => rows<FoundRow>(FIND_BY_TOKEN, [tokenHash, now]))
      if (found === undefined) return null
      const { terms, catalogue, organizationId, campaign, expiresAt } = found
      caches.saw(terms, catalogue)
      return organizationId === null ? null : { organizationId, campaign, expiresAt }
    },
  }
}
