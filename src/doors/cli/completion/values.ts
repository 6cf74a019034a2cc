import type { StoreReads } from "../../../storage/port/store.ts"

/** Something to type, and what it is. */
export interface Candidate {
  readonly value: string
  readonly about?: string
}

type Read = (store: StoreReads) => Promise<readonly Candidate[]>

const organizations: Read = async ({ organizations }) =>
  (await organizations.list()).map(({ slug, name }) => ({ value: slug, about: name }))

const campaigns: Read = async ({ packageLines }) => {
  const lines = await packageLines.listWithTotals(null)
  return [...new Set(lines.map(({ campaign }) => campaign))].map((value) => ({ value }))
}

const lines: Read = async ({ packageLines }) =>
  (await packageLines.listWithTotals(null)).map(({ packageId, campaign, name }) => ({
    value: packageId,
    about: `${campaign}: ${name}`,
  }))

const products: Read = async ({ catalogue }) =>
  (await catalogue.products()).map(({ productId, body }) => ({
    value: productId,
    about: String((body as { name?: unknown }).name ?? ""),
  }))

const formats: Read = async ({ catalogue }) => {
  const { builtInFormats } = await import("../../../domain/adcp/catalogue/built-in/index.ts")
  const own = (await catalogue.formats()).map(({ formatId }) => ({ value: formatId }))
  return [...own, ...builtInFormats.map(({ format_id, name }) => ({ value: format_id.id, about: name }))]
}

interface Key {
  readonly prefix: string
  readonly label: string
  readonly revokedAt: number | null
}

const active = (keys: readonly Key[]) =>
  keys.filter(({ revokedAt }) => revokedAt === null).map(({ prefix, label }) => ({ value: prefix, about: label }))

const ingestKeys: Read = async ({ ingestKeys }) => active(await ingestKeys.list(null))
const agentKeys: Read = async ({ agentKeys }) => active(await agentKeys.list())

const callers: Read = async (store) => [...(await agentKeys(store)), { value: "anonymous", about: "without a key" }]

const people: Read = async ({ users }) => (await users.list()).map(({ email, name }) => ({ value: email, about: name }))

const tools: Read = async ({ agentCallLog }) => (await agentCallLog.filterOptions()).tools.map((value) => ({ value }))

const outcomes: Read = async ({ agentCallLog }) =>
  (await agentCallLog.filterOptions()).outcomes.map((value) => ({ value }))

const words =
  (...given: readonly string[]): Read =>
  async () =>
    given.map((value) => ({ value }))

// What an option or an argument takes; with the command before it where the same name means different things.
const READS: Readonly<Record<string, Read>> = {
  "--org": organizations,
  "org SLUG": organizations,
  "campaign SLUG": campaigns,
  "key ID_OR_PREFIX": ingestKeys,
  "activity --rejected": ingestKeys,
  "agent-key ID_OR_PREFIX": agentKeys,
  "calls --key": callers,
  "calls --tool": tools,
  "calls --outcome": outcomes,
  PACKAGE_ID: lines,
  PRODUCT_ID: products,
  FORMAT_ID: formats,
  EMAIL: people,
  "user link --email": people,
  "--role": words("admin", "member"),
  "--log-format": words("json", "text"),
}

/** What can stand for an option or an argument of a command; null where only the person can know. */
export function valuesOf(path: readonly string[], name: string): Read | null {
  return READS[[...path, name].join(" ")] ?? READS[`${path[0]} ${name}`] ?? READS[name] ?? null
}
