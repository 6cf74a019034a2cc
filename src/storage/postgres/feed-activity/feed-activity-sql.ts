// Every statement about what ingest keys sent. Each finds its rows by an index. Rows are written in one order, so that two replicas that
// count for the same keys do not wait for each other in a circle.

const MATCHING = `ingest_key_id = $1 AND organization_id = $2 AND at >= $3 AND at < $4
  AND ($5::text IS NULL OR reason = $5)`

export const FEED_ACTIVITY_SQL = {
  addCounts: `INSERT INTO feed_count AS f (ingest_key_id, hour, feed, unit, outcome, count)
    SELECT * FROM unnest($1::text[], $2::bigint[], $3::text[], $4::text[], $5::text[], $6::bigint[])
      AS c (ingest_key_id, hour, feed, unit, outcome, count)
    ORDER BY ingest_key_id COLLATE "C", hour, feed COLLATE "C", unit COLLATE "C", outcome COLLATE "C"
    ON CONFLICT (ingest_key_id, hour, feed, unit, outcome) DO UPDATE SET count = f.count + excluded.count`,
  setLast: `INSERT INTO feed_last_request AS f (ingest_key_id, at, feed, outcome, accepted, rejected)
    SELECT * FROM unnest($1::text[], $2::bigint[], $3::text[], $4::text[], $5::bigint[], $6::bigint[])
      AS c (ingest_key_id, at, feed, outcome, accepted, rejected)
    ORDER BY ingest_key_id COLLATE "C"
    ON CONFLICT (ingest_key_id) DO UPDATE SET at = excluded.at, feed = excluded.feed, outcome = excluded.outcome,
      accepted = excluded.accepted, rejected = excluded.rejected WHERE excluded.at >= f.at`,
  addItems: `INSERT INTO rejected_item
      (organization_id, ingest_key_id, at, feed, reason, message, package_id, code, sent, more)
    SELECT organization_id, ingest_key_id, at, feed, reason, message, package_id, code, sent, more
    FROM unnest($1::bigint[], $2::text[], $3::bigint[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[],
      $9::text[], $10::bigint[]) WITH ORDINALITY
      AS c (organization_id, ingest_key_id, at, feed, reason, message, package_id, code, sent, more, place)
    ORDER BY place`,
  /** Deletes all but the newest $2 items of an organization. */
  trim: `DELETE FROM rejected_item WHERE organization_id = $1 AND id <=
    (SELECT id FROM rejected_item WHERE organization_id = $1 ORDER BY id DESC LIMIT 1 OFFSET $2)`,

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
  counts: `SELECT ingest_key_id AS "keyId", hour, feed, unit, outcome, count FROM feed_count
    WHERE ingest_key_id = $1 AND hour >= $2 ORDER BY hour, feed, unit, outcome`,
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

  pruneCounts: `DELETE FROM feed_count WHERE (ingest_key_id, hour, feed, unit, outcome) IN
    (SELECT ingest_key_id, hour, feed, unit, outcome FROM feed_count WHERE hour < $1 LIMIT $2) RETURNING 1`,
  pruneItems: `DELETE FROM rejected_item WHERE id IN
    (SELECT id FROM rejected_item WHERE at < $1 LIMIT $2) RETURNING 1`,
}
