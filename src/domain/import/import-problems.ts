import { misfitsOf } from "../campaign/line-fields.ts"
import { unknownTerritories } from "../keys/opening.ts"
import { normalEmail } from "../people/user.ts"
import type { SchemaProblem } from "../schema/check.ts"
import { parseDate } from "../time/moment.ts"
import { isTimeZone } from "../time/time-zone.ts"
import { changedRight } from "./account-rights.ts"
import type { ImportedAgentKey, ImportedCampaign, ImportedLine, ImportedUser, ImportFile } from "./import-file.ts"
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
  const described = new Map((file.formats ?? []).map((body, i) => [formatIdOf(body), `/formats/${i}`]))
  return [
    ...repeated("/organizations", file.organizations, ({ slug }) => slug, "slug"),
    ...each("/organizations", file.organizations, ({ time_zone }, at) => timeZoneProblem(time_zone, `${at}/time_zone`)),
    ...repeated("/users", file.users, (user) => `${normalEmail(user.email)} ${user.organization ?? ""}`, "email"),
    ...each("/users", file.users, (user, at) => userProblems(user, organizations, at)),
    ...rightsProblems(file, existing),
    ...repeated("/campaigns", file.campaigns, ({ slug }) => slug, "slug"),
    ...each("/campaigns", file.campaigns, (campaign, at) => campaignProblems(campaign, organizations, existing, at)),
    ...repeatedPackages(file, existing),
    ...repeatedExternalIds(file, existing),
    ...repeated("/formats", file.formats, formatIdOf, "format_id/id"),
    ...each("/formats", file.formats, (body, at) => within(at, catalogue.format(body))),
    ...each("/hidden_formats", file.hidden_formats, (id, pointer) =>
      described.has(id) ? [{ pointer, message: `is the same as in ${described.get(id)}` }] : [],
    ),
    ...catalogue.lost(),
    ...repeated("/products", file.products, productIdOf, "product_id"),
    ...each("/products", file.products, (body, at) => within(at, catalogue.product(body))),
    ...repeated("/product_sellers", file.product_sellers, ({ product_id }) => product_id, "product_id"),
    ...each("/product_sellers", file.product_sellers, ({ product_id, seller }, at) => [
      ...unknown("a product", product_id, products, `${at}/product_id`),
      ...(seller === null ? [] : unknown("an organization", seller, organizations, `${at}/seller`)),
    ]),
    ...repeated("/agent_keys", file.agent_keys, ({ label }) => label, "label"),
    ...each("/agent_keys", file.agent_keys, (key, at) => [
      ...(key.buyer ? unknown("an organization", key.buyer, organizations, `${at}/buyer`) : []),
      ...agentKeyProblems(key, products, at),
    ]),
  ]
}

/** The problems of each entry of a list, which is told where it stands. */
const each = <Entry>(
  pointer: string,
  entries: readonly Entry[] = [],
  find: (entry: Entry, at: string) => readonly SchemaProblem[],
): SchemaProblem[] => entries.flatMap((entry, index) => find(entry, `${pointer}/${index}`))

const within = (pointer: string, problems: readonly SchemaProblem[]): SchemaProblem[] =>
  problems.map((problem) => ({ ...problem, pointer: pointer + problem.pointer }))

/** Duplicate ids: it would be unclear which entry counts. */
function repeated<Entry>(
  pointer: string,
  entries: readonly Entry[] | undefined,
  idOf: (entry: Entry) => string,
  field: string,
): SchemaProblem[] {
  const first = new Map<string, string>()
  return each(pointer, entries, (entry, at) => {
    const before = first.getOrInsert(idOf(entry), at)
    return before === at ? [] : [{ pointer: `${at}/${field}`, message: `is the same as in ${before}` }]
  })
}

function timeZoneProblem(zone: string | undefined, pointer: string): SchemaProblem[] {
  if (zone === undefined || isTimeZone(zone)) return []
  return [{ pointer, message: `is not an IANA time zone such as Europe/Berlin: "${zone}"` }]
}

function unknown(what: string, name: string, known: ReadonlySet<string>, pointer: string): SchemaProblem[] {
  if (known.has(name)) return []
  return [{ pointer, message: `is ${what} that is neither in this file nor in the database: "${name}"` }]
}

function userProblems({ organization, role }: ImportedUser, organizations: ReadonlySet<string>, pointer: string) {
  if (organization !== undefined)
    return unknown("an organization", organization, organizations, `${pointer}/organization`)
  return role === undefined ? [] : [{ pointer: `${pointer}/role`, message: "needs an organization" }]
}

/** Anybody may have registered an account under somebody else's address: what it may do is changed in the app. */
const rightsProblems = (file: ImportFile, { accounts }: ExistingData): SchemaProblem[] =>
  planUsers(file).flatMap((user, index) => {
    const right = changedRight(accounts, user)
    if (right === null) return []
    const message = `would change what ${user.email} may do: an import never changes the rights of an account that is there`
    return [{ pointer: `/users/${index}/${right}`, message }]
  })

const campaignProblems = (
  campaign: ImportedCampaign,
  organizations: ReadonlySet<string>,
  existing: ExistingData,
  pointer: string,
): SchemaProblem[] => [
  ...unknown("an organization", campaign.buyer, organizations, `${pointer}/buyer`),
  ...each(`${pointer}/lines`, campaign.lines, (line, at) => [
    ...unknown("an organization", line.seller, organizations, `${at}/seller`),
    ...flightProblems(line, at),
    ...misfitProblems(line, at),
    ...changeProblems(line, campaign.slug, existing, at),
  ]),
]

function flightProblems({ flight_start, flight_end = null }: ImportedLine, pointer: string): SchemaProblem[] {
  const start = parseDate(flight_start)
  const end = flight_end === null ? null : parseDate(flight_end)
  if (start && end && end < start)
    return [{ pointer: `${pointer}/flight_end`, message: `is before the flight start ${start}` }]
  const noSuchDay = (name: string, day: string | null) => ({
    pointer: `${pointer}/${name}`,
    message: `is a day that does not exist: ${day}`,
  })
  return [
    ...(start === undefined ? [noSuchDay("flight_start", flight_start)] : []),
    ...(end === undefined ? [noSuchDay("flight_end", flight_end)] : []),
  ]
}

function misfitProblems({ pricing_basis, booked, rate, currency }: ImportedLine, pointer: string): SchemaProblem[] {
  const line = { pricingBasis: pricing_basis, booked: booked ?? null, rate: rate ?? null, currency: currency ?? null }
  const misfits = misfitsOf(line)
  const messages = { booked: "must be left out: a flat rate has no quantity", currency: "is required with a rate" }
  const wrong = (["booked", "currency"] as const).filter((name) => misfits[name])
  return wrong.map((name) => ({ pointer: `${pointer}/${name}`, message: messages[name] }))
}

/** A line with figures keeps its seller and pricing basis, so that the figures keep their meaning. */
function changeProblems(line: ImportedLine, campaign: string, existing: ExistingData, pointer: string) {
  const stored = storedLine(line, campaign, existing)
  if (stored === undefined || !stored.hasFigures) return []
  const fixed = { pricing_basis: stored.pricingBasis, seller: stored.seller } as const
  const changed = (["pricing_basis", "seller"] as const).filter((field) => fixed[field] !== line[field])
  return changed.map((field) => ({
    pointer: `${pointer}/${field}`,
    message: `cannot change from ${fixed[field]}: the line already has figures`,
  }))
}

function repeatedPackages(file: ImportFile, existing: ExistingData): SchemaProblem[] {
  const first = new Map<string, string>()
  return linesIn(file).flatMap(({ line, campaign, pointer }) => {
    const named = line.package_id ?? sameLine(line, campaign, existing)?.packageId
    const id = named?.toLowerCase() ?? nameOfLine({ campaign, ...line })
    const before = first.getOrInsert(id, pointer)
    if (before === pointer) return []
    const [field, advice] = line.package_id ? ["package_id", ""] : ["name", ": give each line a package_id"]
    return [{ pointer: `${pointer}/${field}`, message: `is the same as in ${before}${advice}` }]
  })
}

const linesIn = ({ campaigns = [] }: ImportFile) =>
  campaigns.flatMap(({ slug: campaign, lines = [] }, c) =>
    lines.map((line, l) => ({ line, campaign, pointer: `/campaigns/${c}/lines/${l}` })),
  )

/** An external id names one line of its seller, among the lines of the file and those that are stored. */
function repeatedExternalIds(file: ImportFile, existing: ExistingData): SchemaProblem[] {
  const planned = linesIn(file).map(({ line, campaign, pointer }) => {
    const stored = storedLine(line, campaign, existing)
    const externalId = line.external_id === undefined ? (stored?.externalId ?? null) : line.external_id
    return { stored, externalId, seller: line.seller, pointer }
  })
  const replaced = new Set(planned.map(({ stored }) => stored?.packageId))
  const nameOf = (seller: string, externalId: string) => `${seller} ${externalId}`
  const first = new Map<string, string>()
  for (const { packageId, seller, externalId } of existing.lines.values())
    if (externalId !== null && !replaced.has(packageId)) first.set(nameOf(seller, externalId), `line ${packageId}`)
  return planned.flatMap(({ externalId, seller, pointer }) => {
    if (externalId === null) return []
    const before = first.getOrInsert(nameOf(seller, externalId), pointer)
    return before === pointer ? [] : [{ pointer: `${pointer}/external_id`, message: `is the same as of ${before}` }]
  })
}

/** The line that an entry changes, if there is one. */
const storedLine = (line: ImportedLine, campaign: string, existing: ExistingData) =>
  line.package_id ? existing.lines.get(line.package_id.toLowerCase()) : sameLine(line, campaign, existing)

const agentKeyProblems = ({ opened }: ImportedAgentKey, products: ReadonlySet<string>, pointer: string) => [
  ...repeated(`${pointer}/opened`, opened, ({ product_id }) => product_id, "product_id"),
  ...each(`${pointer}/opened`, opened, ({ product_id, territories }, at) => [
    ...unknownTerritories(territories).map((code) => ({
      pointer: `${at}/territories/${territories.indexOf(code)}`,
      message: `is not an ISO 3166-1 alpha-2 country code: "${code}"`,
    })),
    ...unknown("a product", product_id, products, `${at}/product_id`),
  ]),
]
