// Every statement about what ingest keys sent. Each finds its rows by an index.

const MATCHING = `ingest_key_id = ?1 AND organization_id = ?2 AND at >= ?3 AND at < ?4 AND (?5 IS NULL OR reason = ?5)`

export const FEED_ACTIVITY_SQL = {
  lastRequest: `SELECT ingest_key_id AS keyId, at, feed, outcome, accepted, rejected FROM feed_last_request
    WHERE ingest_key_id = ?1`,
  hours: "SELECT DISTINCT hour FROM feed_count WHERE ingest_key_id = ?1 ORDER BY hour DESC LIMIT ?2",
  countRejected: `SELECT count(*) AS rows FROM rejected_item WHERE ${MATCHING}`,
  rejected: `
    SELECT r.id, r.ingest_key_id AS keyId, r.at, r.feed, r.reason, r.message, r.package_id AS packageId, r.code, r.sent,
      r.more, l.package_id AS linePackageId, l.name AS lineName, c.slug AS campaign
    FROM (SELECT * FROM rejected_item WHERE ${MATCHING} ORDER BY at DESC, id DESC LIMIT ?6 OFFSET ?7) r
    LEFT JOIN affiliate_code a ON r.package_id IS NULL AND a.organization_id = r.organization_id AND a.code = r.code
    LEFT JOIN package_line p ON p.package_id = r.package_id
    LEFT JOIN package_line l ON l.id = coalesce(p.id, a.line_id) AND l.seller_id = r.organization_id
    LEFT JOIN campaign c ON c.id = l.campaign_id
    ORDER BY r.at DESC, r.id DESC`,
}
