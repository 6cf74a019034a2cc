import { misfitsOf } from "../campaign/line-fields.ts"
import { unknownTerritories } from "../keys/opening.ts"
import { organizationsLeftWithoutAdmin, wouldLeaveNoOperator } from "../people/last-admin.ts"
import { normalEmail } from "../people/user.ts"
import type { SchemaProblem } from "../schema/check.ts"
import { parseDate } from "../time/moment.ts"
import { isTimeZone } from "../time/time-zone.ts"
import type { ImportedAgentKey, ImportedCampaign, ImportedLine, ImportFile } from "./import-file.ts"
import { type ExistingData, formatIdOf, nameOfLine, planUsers, productIdOf, sameLine } from "./import-plan.ts"

/** Checks one AdCP object of the catalogue; pointers are relative to it. */
export interface CatalogueChecks {
  format(body: unknown): readonly SchemaProblem[]
  product(body: unknown): readonly SchemaProblem[]
  /** Formats whose change would break stored references; pointers are into the file. */
  lost(): readonly SchemaProblem[]
}

/** Every problem with the references of a valid file, to its other parts or to stored data. */
export function problemsOfImport(file: ImportFile, existing: ExistingData, catalogue: CatalogueChecks) {
  const organizations = new Set([...existing.organizations, ...(file.organizations ?? []).map(({ slug }) => slug)])
  const products = new Set([...existing.products.keys(), ...(file.products ?? []).map(productIdOf)])
  return [
    ...repeated("/organizations", file.organizations, ({ slug }) => slug, "slug"),
    ...(file.organizations ?? []).flatMap(({ time_zone }, index) =>
      timeZoneProblem(time_zone, `/organizations/${index}/time_zone`),
    ),
    ...repeated(
      "/users",
      file.users,
      ({ email, organization }) => `${normalEmail(email)} ${organization ?? ""}`,
      "email",
    ),
    ...(file.users ?? []).flatMap((user, index) => userProblems(user, organizations, `/users/${index}`)),
    ...lastOperatorProblems(file, existing),
    ...lastAdminProblems(file, existing),
    ...repeated("/campaigns", file.campaigns, ({ slug }) => slug, "slug"),
    ...(file.campaigns ?? []).flatMap((campaign, index) =>
      campaignProblems(campaign, organizations, existing, `/campaigns/${index}`),
    ),
    ...repeatedPackages(file),
    ...repeatedExternalIds(file, existing),
    ...repeated("/formats", file.formats, formatIdOf, "format_id/id"),
    ...(file.formats ?? []).flatMap((body, index) => within(`/formats/${index}`, catalogue.format(body))),
    ...catalogue.lost(),
    ...repeated("/products", file.products, productIdOf, "product_id"),
    ...(file.products ?? []).flatMap((body, index) => within(`/products/${index}`, catalogue.product(body))),
    ...repeated("/product_sellers", file.product_sellers, ({ product_id }) => product_id, "product_id"),
    ...(file.product_sellers ?? []).flatMap(({ product_id, seller }, index) => [
      ...unknownProduct(product_id, products, `/product_sellers/${index}/product_id`),
      ...(seller === null ? [] : unknownOrganization(seller, organizations, `/product_sellers/${index}/seller`)),
    ]),
    ...repeated("/agent_keys", file.agent_keys, ({ label }) => label, "label"),
    ...(file.agent_keys ?? []).flatMap((key, index) => [
      ...(key.buyer ? unknownOrganization(key.buyer, organizations, `/agent_keys/${index}/buyer`) : []),
      ...agentKeyProblems(key, products, `/agent_keys/${index}`),
    ]),
  ]
}

function within(pointer: string, problems: readonly SchemaProblem[]): SchemaProblem[] {
  return problems.map((problem) => ({ ...problem, pointer: pointer + problem.pointer }))
}

/** Duplicate ids: it would be unclear which entry counts. */
function repeated<Entry>(
  pointer: string,
  entries: readonly Entry[] | undefined,
  idOf: (entry: Entry) => string,
  field: string,
): SchemaProblem[] {
  const first = new Map<string, number>()
  const problems: SchemaProblem[] = []
  for (const [index, entry] of (entries ?? []).entries()) {
    const id = idOf(entry)
    const before = first.get(id)
    if (before === undefined) first.set(id, index)
    else problems.push({ pointer: `${pointer}/${index}/${field}`, message: `is the same as in ${pointer}/${before}` })
  }
  return problems
}

function timeZoneProblem(zone: string | undefined, pointer: string): SchemaProblem[] {
  if (zone === undefined || isTimeZone(zone)) return []
  return [{ pointer, message: `is not an IANA time zone such as Europe/Berlin: "${zone}"` }]
}

function unknownOrganization(slug: string, organizations: ReadonlySet<string>, pointer: string): SchemaProblem[] {
  if (organizations.has(slug)) return []
  return [{ pointer, message: `is an organization that is neither in this file nor in the database: "${slug}"` }]
}

function unknownProduct(id: string, products: ReadonlySet<string>, pointer: string): SchemaProblem[] {
  if (products.has(id)) return []
  return [{ pointer, message: `is a product that is neither in this file nor in the database: "${id}"` }]
}

function userProblems(
  user: { organization?: string; role?: string; operator?: boolean },
  organizations: ReadonlySet<string>,
  pointer: string,
): SchemaProblem[] {
  if (user.organization !== undefined)
    return unknownOrganization(user.organization, organizations, `${pointer}/organization`)
  if (user.role !== undefined) return [{ pointer: `${pointer}/role`, message: "needs an organization" }]
  return []
}

function lastOperatorProblems(file: ImportFile, { operators }: ExistingData): SchemaProblem[] {
  const users = planUsers(file)
  if (!wouldLeaveNoOperator(operators, users)) return []
  const index = users.findIndex(({ email, isOperator }) => isOperator === false && operators.has(email))
  return [{ pointer: `/users/${index}/operator`, message: "would leave this installation without an operator" }]
}

function lastAdminProblems(file: ImportFile, { admins }: ExistingData): SchemaProblem[] {
  const users = planUsers(file)
  return organizationsLeftWithoutAdmin(admins, users).map((slug) => {
    const index = users.findIndex(
      ({ email, membership }) => membership?.organization === slug && admins.get(slug)?.has(email),
    )
    return { pointer: `/users/${index}/role`, message: `would leave ${slug} without an admin` }
  })
}

function campaignProblems(
  campaign: ImportedCampaign,
  organizations: ReadonlySet<string>,
  existing: ExistingData,
  pointer: string,
): SchemaProblem[] {
  return [
    ...unknownOrganization(campaign.buyer, organizations, `${pointer}/buyer`),
    ...(campaign.lines ?? []).flatMap((line, index) => [
      ...unknownOrganization(line.seller, organizations, `${pointer}/lines/${index}/seller`),
      ...flightProblems(line, `${pointer}/lines/${index}`),
      ...misfitProblems(line, `${pointer}/lines/${index}`),
      ...changeProblems(line, campaign.slug, existing, `${pointer}/lines/${index}`),
    ]),
  ]
}

function flightProblems(line: ImportedLine, pointer: string): SchemaProblem[] {
  const problems: SchemaProblem[] = []
  const start = parseDate(line.flight_start)
  if (start === undefined) problems.push(noSuchDay(`${pointer}/flight_start`, line.flight_start))
  const end = line.flight_end == null ? null : parseDate(line.flight_end)
  if (end === undefined) problems.push(noSuchDay(`${pointer}/flight_end`, String(line.flight_end)))
  if (start && end && end < start) {
    problems.push({ pointer: `${pointer}/flight_end`, message: `is before the flight start ${start}` })
  }
  return problems
}

function misfitProblems({ pricing_basis, booked, rate, currency }: ImportedLine, pointer: string): SchemaProblem[] {
  const line = { pricingBasis: pricing_basis, booked: booked ?? null, rate: rate ?? null, currency: currency ?? null }
  const misfits = misfitsOf(line)
  return [
    ...(misfits.booked
      ? [{ pointer: `${pointer}/booked`, message: "must be left out: a flat rate has no quantity" }]
      : []),
    ...(misfits.currency ? [{ pointer: `${pointer}/currency`, message: "is required with a rate" }] : []),
  ]
}

function noSuchDay(pointer: string, text: string): SchemaProblem {
  return { pointer, message: `is a day that does not exist: ${text}` }
}

/** A line with figures keeps its seller and pricing basis, so that the figures keep their meaning. */
function changeProblems(line: ImportedLine, campaign: string, existing: ExistingData, pointer: string) {
  const stored = line.package_id
    ? existing.lines.get(line.package_id.toLowerCase())
    : sameLine(line, campaign, existing)
  if (stored === undefined || !stored.hasFigures) return []
  const fixed = { pricing_basis: stored.pricingBasis, seller: stored.seller } as const
  const changed = (["pricing_basis", "seller"] as const).filter((field) => fixed[field] !== line[field])
  return changed.map((field) => ({
    pointer: `${pointer}/${field}`,
    message: `cannot change from ${fixed[field]}: the line already has figures`,
  }))
}

function repeatedPackages(file: ImportFile): SchemaProblem[] {
  const first = new Map<string, string>()
  const problems: SchemaProblem[] = []
  for (const [c, { slug, lines }] of (file.campaigns ?? []).entries()) {
    for (const [l, line] of (lines ?? []).entries()) {
      const pointer = `/campaigns/${c}/lines/${l}`
      const id = line.package_id?.toLowerCase() ?? nameOfLine({ campaign: slug, ...line })
      const before = first.get(id)
      if (before === undefined) first.set(id, pointer)
      else {
        const [field, advice] = line.package_id ? ["package_id", ""] : ["name", ": give each line a package_id"]
        problems.push({ pointer: `${pointer}/${field}`, message: `is the same as in ${before}${advice}` })
      }
    }
  }
  return problems
}

/** An external id names one line of its seller, among the lines of the file and those that are stored. */
function repeatedExternalIds(file: ImportFile, existing: ExistingData): SchemaProblem[] {
  const planned = (file.campaigns ?? []).flatMap(({ slug, lines }, c) =>
    (lines ?? []).map((line, l) => {
      const stored = line.package_id
        ? existing.lines.get(line.package_id.toLowerCase())
        : sameLine(line, slug, existing)
      const externalId = line.external_id === undefined ? (stored?.externalId ?? null) : line.external_id
      return { stored, externalId, seller: line.seller, pointer: `/campaigns/${c}/lines/${l}` }
    }),
  )
  const replaced = new Set(planned.map(({ stored }) => stored?.packageId))
  const nameOf = (seller: string, externalId: string) => `${seller} ${externalId}`
  const first = new Map<string, string>()
  for (const { packageId, seller, externalId } of existing.lines.values())
    if (externalId !== null && !replaced.has(packageId)) first.set(nameOf(seller, externalId), `line ${packageId}`)
  return planned.flatMap(({ externalId, seller, pointer }) => {
    if (externalId === null) return []
    const name = nameOf(seller, externalId)
    const before = first.get(name)
    if (before !== undefined) return [{ pointer: `${pointer}/external_id`, message: `is the same as of ${before}` }]
    first.set(name, pointer)
    return []
  })
}

function agentKeyProblems({ opened }: ImportedAgentKey, products: ReadonlySet<string>, pointer: string) {
  return [
    ...repeated(`${pointer}/opened`, opened, ({ product_id }) => product_id, "product_id"),
    ...(opened ?? []).flatMap(({ product_id, territories }, index) => {
      const at = `${pointer}/opened/${index}`
      const problems: SchemaProblem[] = unknownTerritories(territories).map((code) => ({
        pointer: `${at}/territories/${territories.indexOf(code)}`,
        message: `is not an ISO 3166-1 alpha-2 country code: "${code}"`,
      }))
      return [...problems, ...unknownProduct(product_id, products, `${at}/product_id`)]
    }),
  ]
}
