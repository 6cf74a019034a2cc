import { type ExistingData, type KnownLine, nameOfLine, type PlannedLine } from "../../../domain/import/import-plan.ts"
import type { User } from "../../../domain/people/user.ts"
import type { Snapshot } from "../../port/store.ts"
import { LINE_SQL } from "../../steps/line-columns.ts"
import type { Session } from "../engine/session.ts"

// Each is one statement, which sees one moment, and keeps nobody from writing meanwhile. Every part of its answer is a JSON list.

type Pair = readonly [id: string, body: string | null]

/** The rows of a query as a JSON list. */
const list = (rows: string) => `(SELECT coalesce(json_agg(r), '[]') FROM (${rows}) AS r)`
/** The rows of a query as a JSON list of `value`. */
const listOf = (value: string, rows: string) => `(SELECT coalesce(json_agg(${value}), '[]') FROM (${rows}) AS r)`

const OPERATORS = listOf("r.email", `SELECT email FROM "user" WHERE is_operator = 1`)
const ADMINS = list(`SELECT o.slug, array_agg(u.email) AS emails
  FROM membership m JOIN "user" u ON u.id = m.user_id JOIN organization o ON o.id = m.organization_id
  WHERE m.role = 'admin' GROUP BY o.slug`)
const PRODUCTS = listOf(
  "json_build_array(r.product_id, r.body)",
  "SELECT product_id, body FROM product ORDER BY product_id",
)
const FORMATS = listOf(
  "json_build_array(r.format_id, r.body)",
  "SELECT format_id, body FROM creative_format ORDER BY format_id",
)

const KNOWN = `SELECT json_build_object(
  'organizations', ${listOf("r.slug", "SELECT slug FROM organization")},
  'operators', ${OPERATORS}, 'admins', ${ADMINS}, 'products', ${PRODUCTS}, 'formats', ${FORMATS},
  'lines', ${list(`SELECT l.package_id AS "packageId", c.slug AS campaign, o.slug AS seller, l.name, l.pricing_basis AS "pricingBasis",
      l.external_id AS "externalId", t.line_id IS NOT NULL OR EXISTS (SELECT 1 FROM withdrawn_report w WHERE w.line_id = l.id)
        OR EXISTS (SELECT 1 FROM affiliate_placement a WHERE a.line_id = l.id) AS "hasFigures"
    FROM package_line l JOIN campaign c ON c.id = l.campaign_id JOIN organization o ON o.id = l.seller_id
    LEFT JOIN delivery_total t ON t.line_id = l.id ORDER BY l.id`)},
  'revision', (SELECT catalogue FROM revision))::text AS found`

const SNAPSHOT = `SELECT json_build_object(
  'organizations', ${list(`SELECT id, slug, name, time_zone AS "timeZone" FROM organization ORDER BY slug`)},
  'users', ${list(`SELECT u.id, u.email, u.name, u.is_operator = 1 AS "isOperator", u.password_hash IS NOT NULL AS "hasPassword",
      u.totp_secret IS NOT NULL AS "hasTotp", u.created_at AS "createdAt",
      ${list(`SELECT o.id AS "organizationId", o.slug AS organization, m.role FROM membership m
        JOIN organization o ON o.id = m.organization_id WHERE m.user_id = u.id ORDER BY o.slug`)} AS memberships
    FROM "user" u ORDER BY u.email`)},
  'campaigns', ${list(`SELECT c.slug, c.name, o.slug AS buyer, c.archived = 1 AS archived FROM campaign c
    JOIN organization o ON o.id = c.buyer_id ORDER BY c.slug`)},
  'lines', ${list(`SELECT l.package_id AS "packageId", c.slug AS campaign, o.slug AS seller, ${LINE_SQL.selected},
      l.archived = 1 AS archived
    FROM package_line l JOIN campaign c ON c.id = l.campaign_id JOIN organization o ON o.id = l.seller_id
    ORDER BY c.slug, l.id`)},
  'products', ${PRODUCTS}, 'formats', ${FORMATS},
  'agentKeys', ${list(
    `SELECT k.label, (SELECT o.slug FROM organization o WHERE o.id = k.buyer_id) AS buyer, ${listOf(
      "json_build_array(r.product_id, r.territories)",
      "SELECT product_id, territories FROM opening WHERE agent_key_id = k.id ORDER BY product_id",
    )} AS openings FROM agent_key k WHERE k.revoked_at IS NULL ORDER BY k.label`,
  )})::text AS found`

interface FoundKnown {
  readonly organizations: readonly string[]
  readonly operators: readonly string[]
  readonly admins: readonly { readonly slug: string; readonly emails: readonly string[] }[]
  readonly products: readonly Pair[]
  readonly formats: readonly Pair[]
  readonly lines: readonly KnownLine[]
  readonly revision: number
}

interface FoundSnapshot extends Pick<Snapshot, "organizations" | "campaigns"> {
  readonly users: readonly User[]
  readonly lines: readonly PlannedLine[]
  readonly products: readonly Pair[]
  readonly formats: readonly Pair[]
  readonly agentKeys: readonly {
    readonly label: string
    readonly buyer: string | null
    readonly openings: readonly Pair[]
  }[]
}

/** The stored data that an import file may refer to. */
export async function knownThings(session: Session): Promise<ExistingData> {
  const { organizations, operators, admins, products, formats, lines, revision } = await found<FoundKnown>(
    session,
    KNOWN,
  )
  return {
    organizations: new Set(organizations),
    operators: new Set(operators),
    admins: bySlug(admins),
    products: new Map(products.map(([id, body]) => [id, bodyOf(body)])),
    formats: new Map(formats.map(([id, body]) => [id, bodyOf(body)])),
    lines: new Map(lines.map((line) => [line.packageId, line])),
    // In reverse, so that the oldest of several lines with the same name wins.
    linesByName: new Map(lines.toReversed().map((line) => [nameOfLine(line), line])),
    revision,
  }
}

/** Who must not all lose their rights. */
export async function knownRights(session: Session): Promise<Pick<ExistingData, "operators" | "admins">> {
  const statement = `SELECT json_build_object('operators', ${OPERATORS}, 'admins', ${ADMINS})::text AS found`
  const { operators, admins } = await found<Pick<FoundKnown, "operators" | "admins">>(session, statement)
  return { operators: new Set(operators), admins: bySlug(admins) }
}

export async function snapshotOf(session: Session): Promise<Snapshot> {
  const { products, formats, agentKeys, ...asTheyAre } = await found<FoundSnapshot>(session, SNAPSHOT)
  return {
    ...asTheyAre,
    products: products.map(([productId, body]) => ({ productId, body: bodyOf(body) })),
    formats: formats.map(([formatId, body]) => ({ formatId, body: bodyOf(body) })),
    agentKeys: agentKeys.map(({ label, buyer, openings }) => ({
      label,
      buyer,
      openings: openings.map(([productId, territories]) => ({
        productId,
        territories: bodyOf(territories) as string[],
      })),
    })),
  }
}

async function found<Found>({ rows }: Session, statement: string): Promise<Found> {
  const [row] = await rows<{ found: string }>(statement)
  return JSON.parse(row?.found ?? "{}") as Found
}

function bySlug(admins: FoundKnown["admins"]): Map<string, Set<string>> {
  return new Map(admins.map(({ slug, emails }) => [slug, new Set(emails)]))
}

function bodyOf(body: string | null): unknown {
  return body === null ? null : (JSON.parse(body) as unknown)
}
