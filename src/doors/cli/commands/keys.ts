import { createAgentKey, createIngestKey, revokeAgentKey, revokeIngestKey } from "../../../actions/keys/keys.ts"
import { closeProduct, openProduct } from "../../../actions/keys/openings.ts"
import type { Product } from "../../../domain/adcp/schema/product/product.ts"
import { pricesText } from "../../../domain/adcp/text.ts"
import { KeyLabel } from "../../../domain/keys/api-key.ts"
import { normalTerritories, readTerritories } from "../../../domain/keys/opening.ts"
import { checkFor } from "../../../domain/schema/check.ts"
import { formatMinute } from "../../../domain/time/moment.ts"
import { UserError } from "../../../domain/user-error.ts"
import type { ListedAgentKey as AgentKey, ListedIngestKey, ListedKey } from "../../../storage/port/store.ts"
import { UsageError } from "../arguments.ts"
import { group, lists, onData, says } from "../command.ts"
import { printJson } from "../io.ts"
import { type Column, type List, momentOrNull, printTable, timeColumn } from "../output/table.ts"
import { findOrganization, organizationOf, unknown } from "../stored.ts"

function readLabel(label: string): string {
  const checked = checkFor(KeyLabel)(label)
  if (!checked.ok) throw new UsageError(checked.problems.map(({ message }) => `--label ${message}.`).join("\n"))
  return checked.value
}

// What the lists of both kinds of keys have in common.
const STATE: Column<ListedKey> = {
  title: "STATE",
  text: ({ revokedAt }) => (revokedAt === null ? "active" : "revoked"),
  colour: ({ revokedAt }) => (revokedAt === null ? "green" : "dim"),
}
// To the minute, because uses are noted together.
const LAST_USED: Column<ListedKey> = {
  title: "LAST USED",
  value: ({ lastUsedAt }) => lastUsedAt && formatMinute(lastUsedAt),
  text: ({ lastUsedAt }) => (lastUsedAt === null ? "never" : formatMinute(lastUsedAt)),
  optional: 1,
}
const CREATED = timeColumn("CREATED", ({ createdAt }: ListedKey) => createdAt, { optional: 2 })
const revokedJson = ({ revokedAt }: ListedKey) => ({ revoked: momentOrNull(revokedAt) })

const CREATE_KEY = onData("create", "create a key for an organization; it is shown once", {
  needs: {
    "--org <SLUG>": "the organization that the key acts for",
    "--label <TEXT>": "what uses the key, such as the name of a system",
  },
  examples: [
    ['key create --org acme-audio --label "Ad server"'],
    ['key create --org acme-audio --label "Ad server" > key.txt', "only the key goes to the file"],
  ],
  reads: ({ label }) => readLabel(label),
  async run({ options: { org }, read: label, ...on }) {
    const organization = await findOrganization(on.store, org)
    const { record, secret } = await createIngestKey(on, organization, label, "command")
    const json = { id: record.id, key: secret, prefix: record.prefix, label, organization: org }
    return says(json, secret, "Keep it secret, like a password: it is shown only once.")
  },
})

const LIST_KEYS = onData("list", "list keys with when they were created and last used", {
  examples: [["key list --org acme-audio"]],
  options: { "--org <SLUG>": "only keys of this organization" },
  async run({ store, options }) {
    const owner = await organizationOf(store, options.org)
    return lists(await store.ingestKeys.list(owner?.id ?? null), INGEST_KEYS)
  },
})

const REVOKE_KEY = onData("revoke <ID_OR_PREFIX>", "revoke a key at once, also in a running server", {
  examples: [["key revoke abi_Xk3f9Qp1"]],
  asks: (_, idOrPrefix) => `Revoke ${idOrPrefix}? Whatever sends totals with it is refused at once.`,
  async run(on, idOrPrefix: string) {
    const change = await revokeIngestKey(on, idOrPrefix, null, "command")
    if (change.outcome === "not found") throw unknown(`active API key "${idOrPrefix}"`, "key")
    const { id, label } = change
    return says({ id, label, revoked: true }, `Revoked: ${label}. Requests with it now get 401.`)
  },
})

const INGEST_KEYS: List<ListedIngestKey> = {
  columns: [
    { title: "PREFIX", value: ({ prefix }) => prefix },
    { title: "ORGANIZATION", value: ({ organization }) => organization, shrinks: true },
    { title: "LABEL", value: ({ label }) => label, shrinks: true },
    STATE,
    LAST_USED,
    CREATED,
    { title: "ID", value: ({ id }) => id, optional: 3 },
  ],
  more: revokedJson,
  empty: 'No API keys yet. Create one: adbooth key create --org SLUG --label "Ad server"',
}

export const keyCommand = group("key", "manage API keys, which sellers' systems use to report figures", {
  summary: "manage sellers' keys for the ingest API",
  below: [CREATE_KEY, LIST_KEYS, REVOKE_KEY],
})

const CREATE_AGENT_KEY = onData("create", "create a key for a buyer; it is shown once", {
  examples: [['agent-key create --label "Buyer X"']],
  needs: { "--label <TEXT>": "who gets the key; unique among active keys" },
  options: { "--buyer <SLUG>": "the organization whose purchases it may read" },
  reads: ({ label }) => readLabel(label),
  async run({ options, read: label, ...on }) {
    const made = await createAgentKey(on, label, "command", await organizationOf(on.store, options.buyer))
    if (made === null)
      throw new UserError(`An active buyer's key already has the label "${label}". Choose another, or revoke that key.`)
    const { id, prefix } = made.record
    const next = `adbooth agent-key open ${prefix} PRODUCT_ID --territories DE,AT`
    const note = `It is shown only once. It sees no products yet: ${next}`
    return says({ id, key: made.secret, prefix, label }, made.secret, note)
  },
})

const LIST_AGENT_KEYS = onData("list", "list keys with the products shown to each", {
  examples: [["agent-key list"]],
  run: async ({ store }) => lists(await store.agentKeys.list(), AGENT_KEYS),
})

const REVOKE_AGENT_KEY = onData("revoke <ID_OR_PREFIX>", "revoke a key at once, also in a running server", {
  examples: [["agent-key revoke aba_Xk3f9Qp1"]],
  asks: (_, idOrPrefix) => `Revoke ${idOrPrefix}? The agent that uses it is refused at once.`,
  async run(on, idOrPrefix: string) {
    const { id, label } = existing(await revokeAgentKey(on, idOrPrefix, "command"), idOrPrefix)
    return says({ id, label, revoked: true }, `Revoked: ${label}. Calls with it now get 401.`)
  },
})

/** What was changed; throws where there is no such key. */
function existing<Change extends { readonly outcome: string }>(result: Change, idOrPrefix: string) {
  if (result.outcome === "not found") throw noAgentKey(idOrPrefix)
  return result as Exclude<Change, { readonly outcome: "not found" }>
}

const noAgentKey = (idOrPrefix: string) => unknown(`active buyer's key "${idOrPrefix}"`, "agent-key")

const AGENT_KEYS: List<AgentKey> = {
  columns: [
    { title: "PREFIX", value: ({ prefix }) => prefix },
    { title: "LABEL", value: ({ label }) => label, shrinks: true },
    STATE,
    {
      title: "SEES",
      json: "opened",
      value: ({ openings }) => openings.map(({ productId, territories }) => ({ product_id: productId, territories })),
      text: ({ openings }) => openings.map(openingText).join(", ") || "nothing",
      shrinks: true,
    },
    { title: "BUYER", value: ({ buyer }) => buyer, text: ({ buyer }) => buyer ?? "none", shrinks: true },
    LAST_USED,
    CREATED,
  ],
  more: (key) => ({ id: key.id, ...revokedJson(key) }),
  empty: "No buyers' keys yet. Create one: adbooth agent-key create --label 'Buyer'",
}

const openingText = ({ productId, territories }: AgentKey["openings"][number]) =>
  `${productId} (${territories.join(",")})`

const OPEN = onData("open <ID_OR_PREFIX> <PRODUCT_ID>", "show a product to a buyer, or change where", {
  needs: { "--territories <CODES>": "ISO 3166-1 codes such as DE,AT, or * for everywhere" },
  examples: [
    ["agent-key open aba_Xk3f9Qp1 morning-preroll --territories DE,AT"],
    ["agent-key open aba_Xk3f9Qp1 morning-preroll --territories '*'", "everywhere"],
  ],
  reads: (options) => territoriesFrom(options.territories),
  async run({ read: territories, ...on }, idOrPrefix: string, productId: string) {
    const result = existing(await openProduct(on, idOrPrefix, { productId, territories }, "command"), idOrPrefix)
    if (result.outcome === "no product") throw unknown(`product "${productId}"`, "product")
    const { id, label } = result
    const where = territories.includes("*") ? "everywhere" : `in ${territories.join(", ")}`
    return says({ id, label, product_id: productId, territories }, `${productId} is shown to ${label} ${where}.`)
  },
})

const CLOSE = onData("close <ID_OR_PREFIX> <PRODUCT_ID>", "hide a product from a buyer", {
  examples: [["agent-key close aba_Xk3f9Qp1 morning-preroll"]],
  words: { PRODUCT_ID: "as shown by agent-key list" },
  asks: (_, idOrPrefix, productId) => `Hide ${productId} from ${idOrPrefix}?`,
  async run(on, idOrPrefix: string, productId: string) {
    const result = existing(await closeProduct(on, idOrPrefix, productId, "command"), idOrPrefix)
    if (result.outcome === "not open") throw new UserError(`"${productId}" is not shown to that key.`)
    const { id, label } = result
    return says({ id, label, product_id: productId, closed: true }, `${productId} is hidden from ${label}.`)
  },
})

function territoriesFrom(text: string): string[] {
  const read = readTerritories(text)
  if (!read.ok) throw new UsageError(`--territories has ${read.message}`)
  if (read.codes.length === 0)
    throw new UsageError("--territories needs at least one country code, or * for everywhere.")
  return normalTerritories(read.codes)
}

const PREVIEW = onData("preview <ID_OR_PREFIX>", "show what a key sees, as its agent gets it", {
  options: { "--brief <TEXT>": "rank the products by this brief" },
  notes: ["The app also shows which products are missing, and why: Agent sales, Buyers’ keys, What it sees."],
  examples: [
    ["agent-key preview aba_Xk3f9Qp1"],
    ['agent-key preview aba_Xk3f9Qp1 --brief "podcasts in Austria"', "ranked, with the reasons"],
  ],
  async run({ cli, options: { brief }, ...on }, idOrPrefix: string) {
    const log = { error: (event: string, cause: unknown) => cli.io.err(`${event}: ${String(cause)}\n`) }
    // Loaded only now: all that the agent knows of words would make every command slower, and the server larger.
    const { previewAgentKey } = await import("../../../actions/keys/preview-agent-key.ts")
    const preview = await previewAgentKey({ ...on, log }, idOrPrefix, brief === undefined ? {} : { brief })
    if (preview === null) throw noAgentKey(idOrPrefix)
    if (preview.error !== undefined) throw new UserError(preview.error)
    const { id, label } = preview
    const products = preview.products.slice(0)
    const next = `adbooth agent-key open ${idOrPrefix} PRODUCT_ID --territories DE,AT`
    return (io, { json }) => {
      if (json) printJson(io, { id, label, products })
      else if (products.length === 0) io.err(`${label} sees no products yet. Show it one: ${next}\n`)
      else printTable(io, products, brief === undefined ? SEEN : [...SEEN, REASON])
    }
  },
})

const SEEN: readonly Column<Product>[] = [
  { title: "PRODUCT", value: (product) => product.product_id },
  { title: "NAME", value: (product) => product.name, shrinks: true },
  { title: "TERRITORIES", text: (product) => territoriesOf(product).join(","), shrinks: true },
  { title: "PRICES", text: (product) => pricesText(product), shrinks: true },
]
const REASON: Column<Product> = { title: "WHY", text: (product) => product.brief_relevance ?? "", shrinks: true }

const territoriesOf = ({ ext }: Product): readonly string[] =>
  (ext as { adbooth: { territories: readonly string[] } }).adbooth.territories

export const agentKeyCommand = group("agent-key", "manage buyers' keys, which their agents use to see your products", {
  summary: "manage buyers' keys for the sales agent",
  below: [CREATE_AGENT_KEY, LIST_AGENT_KEYS, REVOKE_AGENT_KEY, OPEN, CLOSE, PREVIEW],
})
