import { lineColumns } from "../../../domain/campaign/line-fields.ts"
import { LINE_SQL } from "../../steps/line-columns.ts"

// Every statement gets its rows as a JSON list in $1, and where it creates any, the moment in $2. It says how many there were not before.
// Existing rows are updated; rows that stay the same cost no write.

/** The rows of a parameter, in their order. */
const given = (parameter: string, columns: string) =>
  `ROWS FROM (json_to_recordset(${parameter}::text::json) AS (${columns})) WITH ORDINALITY AS p`
const PLACE = "p.ordinality"

/** Counts the rows that were not there before: those whose key is not seen by the statement, which sees only what was there. */
const created = (table: string, key: string, insert: string) => `
  WITH saved AS (${insert} RETURNING ${key} AS key)
  SELECT count(*) AS created FROM saved WHERE NOT EXISTS (SELECT 1 FROM ${table} AS before WHERE before.${key} = saved.key)`

const CATALOGUE = (table: string, key: string, name: string) =>
  created(
    table,
    key,
    `INSERT INTO ${table} (${key}, body, created_at, updated_at)
     SELECT p."${name}", p.body, $2::bigint, $2::bigint FROM ${given("$1", `"${name}" text, body text`)} ORDER BY ${PLACE}
     ON CONFLICT (${key}) DO UPDATE SET body = excluded.body, updated_at = excluded.updated_at`,
  )

const LINE_TYPES = lineColumns
  .map(({ field, isNumber }) => `"${field}" ${isNumber ? "double precision" : "text"}`)
  .join(", ")

export const PLAN_SQL = {
  /** Until the end of the transaction: a long list is joined and sorted in memory. */
  useMemory: "SET LOCAL work_mem = '64MB'",

  /** To be run before they are written. */
  forgetDays: `UPDATE delivery_total SET day_end = NULL WHERE day_end IS NOT NULL AND line_id IN (
    SELECT l.id FROM ${given("$1", 'slug text, "timeZone" text')} JOIN organization o ON o.slug = p.slug
    JOIN package_line l ON l.seller_id = o.id WHERE p."timeZone" <> o.time_zone)`,

  organizations: created(
    "organization",
    "slug",
    `INSERT INTO organization AS o (slug, name, time_zone, created_at)
     SELECT p.slug, p.name, coalesce(p."timeZone", b.time_zone, p."timeZoneIfNew"), $2::bigint
     FROM ${given("$1", 'slug text, name text, "timeZone" text, "timeZoneIfNew" text')}
     LEFT JOIN organization b ON b.slug = p.slug ORDER BY ${PLACE}
     ON CONFLICT (slug) DO UPDATE SET name = excluded.name, time_zone = excluded.time_zone`,
  ),

  /**
   * If somebody gains access to anything, open password links are deleted: an admin of one organization may hold such a link, which
   * must not open more than that organization. $1 are the people, $2 their roles; to be run before they are written.
   */
  endLinksOfGaining: `
    WITH gaining AS (
      SELECT u.id FROM ${given("$1", 'email text, "isOperator" boolean')} JOIN "user" u ON u.email = p.email
      WHERE p."isOperator" AND u.is_operator = 0
      UNION SELECT u.id FROM ${given("$2", "email text, organization text")} JOIN "user" u ON u.email = p.email
      WHERE NOT EXISTS (SELECT 1 FROM membership m JOIN organization o ON o.id = m.organization_id
        WHERE m.user_id = u.id AND o.slug = p.organization)
    )
    DELETE FROM one_time_link WHERE purpose = 'password' AND claimed_at IS NULL AND user_id IN (SELECT id FROM gaining)`,

  users: created(
    '"user"',
    "email",
    `INSERT INTO "user" (email, name, is_operator, created_at)
     SELECT p.email, p.name, coalesce(p."isOperator"::integer, b.is_operator, 0), $2::bigint
     FROM ${given("$1", 'email text, name text, "isOperator" boolean')}
     LEFT JOIN "user" b ON b.email = p.email ORDER BY ${PLACE}
     ON CONFLICT (email) DO UPDATE SET name = excluded.name, is_operator = excluded.is_operator`,
  ),

  memberships: `INSERT INTO membership (user_id, organization_id, role)
    SELECT u.id, o.id, p.role FROM ${given("$1", "email text, organization text, role text")}
    JOIN "user" u ON u.email = p.email
    LEFT JOIN organization o ON o.slug = p.organization
    ON CONFLICT (user_id, organization_id) DO UPDATE SET role = excluded.role`,

  campaigns: created(
    "campaign",
    "slug",
    `INSERT INTO campaign AS c (slug, name, buyer_id, archived, created_at)
     SELECT p.slug, p.name, o.id, coalesce(p.archived::integer, b.archived, 0), $2::bigint
     FROM ${given("$1", "slug text, name text, buyer text, archived boolean")}
     JOIN organization o ON o.slug = p.buyer LEFT JOIN campaign b ON b.slug = p.slug ORDER BY ${PLACE}
     ON CONFLICT (slug) DO UPDATE SET name = excluded.name, buyer_id = excluded.buyer_id, archived = excluded.archived
       WHERE (c.name, c.buyer_id, c.archived) IS DISTINCT FROM (excluded.name, excluded.buyer_id, excluded.archived)`,
  ),

  lines: created(
    "package_line",
    "package_id",
    `INSERT INTO package_line AS l (package_id, campaign_id, seller_id, ${LINE_SQL.columns}, archived, created_at)
     SELECT p."packageId", c.id, o.id, ${LINE_SQL.imported(({ field }) => `p."${field}"`)},
       coalesce(p.archived::integer, b.archived, 0), $2::bigint
     FROM ${given("$1", `"packageId" text, campaign text, seller text, ${LINE_TYPES}, archived boolean`)}
     JOIN campaign c ON c.slug = p.campaign JOIN organization o ON o.slug = p.seller
     LEFT JOIN package_line b ON b.package_id = p."packageId" ORDER BY ${PLACE}
     ON CONFLICT (package_id) DO UPDATE SET ${LINE_SQL.replaced}
       WHERE ${LINE_SQL.row("l")} IS DISTINCT FROM ${LINE_SQL.row("excluded")}`,
  ),

  /** Lines of a file may exchange their external ids, which no two lines have even for a moment: first, those that change are removed. */
  freeExternalIds: `UPDATE package_line l SET external_id = NULL FROM ${given("$1", '"packageId" text, "externalId" text')}
    WHERE l.package_id = p."packageId" AND l.external_id <> p."externalId"`,

  linesThatChange: `SELECT l.id FROM ${given("$1", '"packageId" text, "pricingBasis" text, seller text')}
    JOIN package_line l ON l.package_id = p."packageId" JOIN organization o ON o.id = l.seller_id
    WHERE l.pricing_basis <> p."pricingBasis" OR o.slug <> p.seller`,
  haveFigures: `SELECT 1 AS one FROM unnest($1::bigint[]) AS l (id)
    WHERE EXISTS (SELECT 1 FROM delivery_total t WHERE t.line_id = l.id)
      OR EXISTS (SELECT 1 FROM withdrawn_report w WHERE w.line_id = l.id)
      OR EXISTS (SELECT 1 FROM affiliate_placement a WHERE a.line_id = l.id)
    LIMIT 1`,

  formats: CATALOGUE("creative_format", "format_id", "formatId"),
  products: CATALOGUE("product", "product_id", "productId"),

  activeKeys: "SELECT id, label, prefix FROM agent_key WHERE label = ANY($1::text[]) AND revoked_at IS NULL",
  keys: `INSERT INTO agent_key (id, label, prefix, fingerprint, created_at)
    SELECT p.id, p.label, p.prefix, p.fingerprint, p."createdAt"
    FROM ${given("$1", 'id text, label text, prefix text, fingerprint text, "createdAt" bigint')} ORDER BY ${PLACE}`,
  buyers: `UPDATE agent_key k SET buyer_id = (SELECT o.id FROM organization o WHERE o.slug = p.buyer)
    FROM ${given("$1", "id text, buyer text")} WHERE k.id = p.id`,
  openings: `INSERT INTO opening (agent_key_id, product_id, territories)
    SELECT p.id, p."productId", p.territories FROM ${given("$1", 'id text, "productId" text, territories text')}
    ON CONFLICT (agent_key_id, product_id) DO UPDATE SET territories = excluded.territories`,
}
