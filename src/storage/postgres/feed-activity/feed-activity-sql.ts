// What is read of what ingest keys sent. Each statement finds its rows by an index.

const MATCHING = `ingest_key_id = $1 AND organization_id = $2 AND at >= $3 AND at < $4
  AND ($5::text IS NULL OR reason = $5)`

export const FEED_ACTIVITY_SQL = {
  /**
   * The keys of organization $1, or of all; with each its last request and its latest $2 hours. With $3 only those that are not revoked
   * and sent their last request before.
   */
  keys: `
    SELECT k.id, k.label, k.prefix, k.created_at AS "createdAt", k.last_used_at AS "lastUsedAt",
      k.revoked_at AS "revokedAt", o.slug AS organization, f.at, f.feed, f.outcome, f.accepted, f.rejected,
      ARRAY(SELECT DISTINCT hour FROM feed_count c WHERE c.ingest_key_id = k.id ORDER BY hour DESC LIMIT $2) AS hours
    FROM ingest_key k JOIN organization o ON o.id = k.organization_id
    LEFT JOIN feed_last_request f ON f.ingest_key_id = k.id
    WHERE ($1::bigint IS NULL OR k.organization_id = $1)
      AND ($3::bigint IS NULL OR (k.revoked_at IS NULL AND coalesce(f.at, k.last_used_at) < $3))
    ORDER BY k.created_at DESC, k.id DESC`,
  countRejected: `SELECT count(*) AS rows FROM rejected_item WHERE ${MATCHING}`,
  rejected: `
    SELECT r.id, r.ingest_key_id AS "keyId", r.at, r.feed, r.reason, r.message, r.package_id AS "packageId", r.code,
      r.sent, r.more, l.package_id AS "linePackageId", l.name AS "lineName", c.slug AS campaign
    FROM (SELECT * FROM rejected_item WHERE ${MATCHING} ORDER BY at DESC, id DESC LIMIT $6 OFFSET $7) r
    LEFT JOIN affiliate_code a ON r.package_id IS NULL AND a.organization_id = r.organization_id AND a.code = r.code
    LEFT JOIN package_line p ON p.package_id = r.package_id
    LEFT JOIN package_line l ON l.id = coalesce(p.id, a.line_id) AND l.seller_id = r.organization_id
    LEFT JOIN campaign c ON c.id = l.campaign_id
    ORDER BY r.at DESC, r.id DESC`,
}
