import type { Command } from "commander"
import { createAgentKey, revokeAgentKey, setAgentKeyBuyer } from "../../../actions/keys/agent-keys.ts"
import { closeProduct, openProduct } from "../../../actions/keys/openings.ts"
import type { MissingProduct, PreviewQuestion } from "../../../actions/keys/preview-agent-key.ts"
import type { Product } from "../../../domain/adcp/schema/product/product.ts"
import { pricesText } from "../../../domain/adcp/text.ts"
import { normalTerritories, readTerritories } from "../../../domain/keys/opening.ts"
import { jsonObjectOf } from "../../../domain/text/short-text.ts"
import { UserError } from "../../../domain/user-error.ts"
import type { ListedAgentKey as AgentKey, StoreReads } from "../../../storage/port/store.ts"
import { UsageError } from "../arguments.ts"
import {
  type AskingOptions,
  type CliContext,
  type CommonOptions,
  confirmed,
  onStore,
  withData,
  withDataAndQuestion,
} from "../context.ts"
import { explained } from "../help.ts"
import { type Io, print, printJson } from "../io.ts"
import { keyColour, keyJson, keyState, noAgentKey, readLabel, stamp } from "../keys.ts"
import { type Column, type List, printList, printTable } from "../output/table.ts"
import { findOrganization } from "../stored.ts"

export function agentKeyCommand(program: Command, context: CliContext): void {
  const key = program
    .command("agent-key")
    .summary("manage buyers' keys for the sales agent")
    .description("manage agent keys, which buyers' agents use to see your products")
  explained(key, {
    examples: [
      ['agent-key create --label "Buyer X"'],
      ["agent-key open aba_Xk3f9Qp1 morning-preroll --territories DE,AT"],
      ['agent-key preview aba_Xk3f9Qp1 --brief "podcasts in Austria"'],
      ["agent-key buyer aba_Xk3f9Qp1 brand-co"],
      ["agent-key list"],
      ["agent-key close aba_Xk3f9Qp1 morning-preroll"],
      ["agent-key revoke aba_Xk3f9Qp1"],
    ],
  })
  addCreate(key, context)
  addList(key, context)
  addRevoke(key, context)
  addOpen(key, context)
  addClose(key, context)
  addBuyer(key, context)
  addPreview(key, context)
}

function addCreate(key: Command, context: CliContext): void {
  withData(key.command("create"))
    .description("create a key for a buyer; it is shown once")
    .requiredOption("--label <TEXT>", "who gets the key; unique among active keys")
    .option("--buyer <SLUG>", "the organization whose purchases it may read")
    .action(async (options: CommonOptions & { label: string; buyer?: string }) => {
      const label = readLabel(options.label)
      const made = await onStore(context, options, async (on) =>
        createAgentKey(on, label, "command", await buyerFrom(on.store, options.buyer)),
      )
      if (made === null)
        throw new UserError(`An active agent key already has the label "${label}". Choose another, or revoke that key.`)
      const { id, prefix } = made.record
      print(context.io, options, { id, key: made.secret, prefix, label }, `${made.secret}\n`)
      if (options.json) return
      context.io.err(
        `It is shown only now. It sees no products yet: adbooth agent-key open ${prefix} PRODUCT_ID --territories DE,AT\n`,
      )
    })
}

async function buyerFrom(store: StoreReads, slug: string | undefined) {
  return slug === undefined ? null : findOrganization(store, slug)
}

const KEYS: List<AgentKey> = {
  columns: [
    { title: "PREFIX", text: ({ prefix }) => prefix },
    { title: "LABEL", text: ({ label }) => label, shrinks: true },
    { title: "STATE", text: keyState, colour: keyColour },
    { title: "OPENED", text: ({ openings }) => openings.map(openingText).join(", ") || "nothing", shrinks: true },
    { title: "BUYER", text: ({ buyer }) => buyer ?? "none", shrinks: true },
    { title: "LAST USED", text: ({ lastUsedAt }) => stamp(lastUsedAt), optional: 1 },
    { title: "CREATED", text: ({ createdAt }) => stamp(createdAt), optional: 2 },
  ],
  asJson: (key) => ({
    ...keyJson(key),
    buyer: key.buyer,
    opened: key.openings.map(({ productId, territories }) => ({ product_id: productId, territories })),
  }),
  empty: 'No agent keys yet. Create one: adbooth agent-key create --label "Buyer"',
}

const openingText = ({ productId, territories }: AgentKey["openings"][number]) =>
  `${productId} (${territories.join(",")})`

function addList(key: Command, context: CliContext): void {
  withData(key.command("list"))
    .description("list keys with the products open to each")
    .action(async (options: CommonOptions) => {
      const keys = await onStore(context, options, ({ store }) => store.agentKeys.list())
      printList(context.io, options, keys, KEYS)
    })
}

function addRevoke(key: Command, context: CliContext): void {
  withDataAndQuestion(key.command("revoke"))
    .description("revoke a key at once, also in a running server")
    .argument("<ID_OR_PREFIX>", "as shown by agent-key list")
    .action(async (idOrPrefix: string, options: AskingOptions) => {
      await confirmed(context, options, `Revoke ${idOrPrefix}? The agent that uses it is refused at once.`)
      const change = await onStore(context, options, (on) => revokeAgentKey(on, idOrPrefix, "command"))
      if (change.outcome === "not found") throw noAgentKey(idOrPrefix)
      const { id, label } = change
      print(context.io, options, { id, label, revoked: true }, `Revoked: ${label}. Calls with it now get 401.\n`)
    })
}

function addOpen(key: Command, context: CliContext): void {
  const open = withData(key.command("open"))
    .description("open a product to a key, or change its territories")
    .argument("<ID_OR_PREFIX>", "as shown by agent-key list")
    .argument("<PRODUCT_ID>", "as shown by product list")
    .requiredOption("--territories <CODES>", "ISO 3166-1 codes such as DE,AT, or * for everywhere")
    .action(async (idOrPrefix: string, productId: string, options: CommonOptions & { territories: string }) => {
      const territories = territoriesFrom(options.territories)
      const change = await onStore(context, options, (on) =>
        openProduct(on, idOrPrefix, { productId, territories }, "command"),
      )
      if (change.outcome === "not found") throw noAgentKey(idOrPrefix)
      if (change.outcome === "no product")
        throw new UserError(`There is no product "${productId}". "adbooth product list" shows them.`)
      const { id, label } = change
      const where = territories.includes("*") ? "everywhere" : `in ${territories.join(", ")}`
      const json = { id, label, product_id: productId, territories }
      print(context.io, options, json, `${productId} is open to ${label} ${where}.\n`)
    })
  explained(open, {
    examples: [
      ["agent-key open aba_Xk3f9Qp1 morning-preroll --territories DE,AT"],
      ["agent-key open aba_Xk3f9Qp1 morning-preroll --territories '*'", "everywhere"],
    ],
  })
}

function addClose(key: Command, context: CliContext): void {
  withDataAndQuestion(key.command("close"))
    .description("close a product to a key")
    .argument("<ID_OR_PREFIX>", "as shown by agent-key list")
    .argument("<PRODUCT_ID>", "as shown by agent-key list")
    .action(async (idOrPrefix: string, productId: string, options: AskingOptions) => {
      await confirmed(context, options, `Close ${productId} to ${idOrPrefix}?`)
      const change = await onStore(context, options, (on) => closeProduct(on, idOrPrefix, productId, "command"))
      if (change.outcome === "not found") throw noAgentKey(idOrPrefix)
      if (change.outcome === "not open") throw new UserError(`"${productId}" is not open to that key.`)
      const { id, label } = change
      const json = { id, label, product_id: productId, closed: true }
      print(context.io, options, json, `${productId} is closed to ${label}.\n`)
    })
}

function addBuyer(key: Command, context: CliContext): void {
  const buyer = withData(key.command("buyer"))
    .description("say whose purchases a key may read")
    .argument("<ID_OR_PREFIX>", "as shown by agent-key list")
    .argument("[SLUG]", "the organization that bought them")
    .option("--none", "nobody's any more")
    .action(async (idOrPrefix: string, slug: string | undefined, options: CommonOptions & { none?: boolean }) => {
      if ((slug === undefined) !== (options.none ?? false))
        throw new UsageError("Name an organization, or give --none: one of the two.")
      const change = await onStore(context, options, async (on) =>
        setAgentKeyBuyer(on, idOrPrefix, await buyerFrom(on.store, slug), "command"),
      )
      if (change.outcome === "not found") throw noAgentKey(idOrPrefix)
      const { id, label } = change
      const what = slug === undefined ? "nobody's purchases" : `the purchases of ${slug}`
      print(context.io, options, { id, label, buyer: slug ?? null }, `${label} may read ${what}.\n`)
    })
  explained(buyer, {
    notes: [
      "The sales agent answers get_media_buy_delivery with them, once it is switched on (serve --agent-delivery).",
    ],
    examples: [["agent-key buyer aba_Xk3f9Qp1 brand-co"], ["agent-key buyer aba_Xk3f9Qp1 --none"]],
  })
}

function territoriesFrom(text: string): string[] {
  const read = readTerritories(text)
  if (!read.ok) throw new UsageError(`--territories has ${read.message}`)
  if (read.codes.length === 0) {
    throw new UsageError("--territories needs at least one country code, or * for everywhere.")
  }
  return normalTerritories(read.codes)
}

export function addPreview(key: Command, context: CliContext): void {
  const command = withData(key.command("preview"))
    .description("show what a key sees, as its agent gets it")
    .argument("<ID_OR_PREFIX>", "as shown by agent-key list")
    .option("--brief <TEXT>", "rank the products by this brief")
    .option("--filters <JSON>", 'filters of get_products, such as \'{"countries":["DE"]}\'')
    .option("--missing", "list the other products too, with the reason that each is missing")
    .action(async (idOrPrefix: string, options: PreviewOptions) => {
      const log = { error: (event: string, cause: unknown) => context.io.err(`${event}: ${String(cause)}\n`) }
      const question = questionOf(options)
      // Loaded only now: all that the agent knows of words would make every command slower, and the server larger.
      const { previewAgentKey } = await import("../../../actions/keys/preview-agent-key.ts")
      const preview = await onStore(context, options, (on) => previewAgentKey({ ...on, log }, idOrPrefix, question))
      if (preview === null) throw noAgentKey(idOrPrefix)
      if (preview.error !== undefined) throw new UserError(preview.error)
      const { id, label } = preview
      const products = preview.products.slice(0)
      const missing = preview.missing.slice(0).map(({ id: productId, name, why }) => ({ id: productId, name, why }))
      if (options.json) return printJson(context.io, { id, label, products, ...(options.missing && { missing }) })
      const found = { products, missing: options.missing ? missing : [], isFiltered: options.filters !== undefined }
      printSeen(context.io, { id: idOrPrefix, label }, found)
    })
  explained(command, {
    examples: [
      ["agent-key preview aba_Xk3f9Qp1"],
      ['agent-key preview aba_Xk3f9Qp1 --brief "podcasts in Austria"', "ranked, with the reasons"],
      [`agent-key preview aba_Xk3f9Qp1 --filters '{"countries":["FR"]}' --missing`, "and why the others are missing"],
    ],
  })
}

interface PreviewOptions extends CommonOptions {
  readonly brief?: string
  readonly filters?: string
  readonly missing?: boolean
}

function questionOf({ brief, filters }: PreviewOptions): PreviewQuestion {
  if (filters === undefined) return { brief }
  const read = jsonObjectOf(filters)
  if (read === undefined) throw new UserError('--filters must be a JSON object, such as {"countries":["DE"]}.')
  return { brief, filters: read }
}

const SEEN: readonly Column<Product>[] = [
  { title: "PRODUCT", text: (product) => product.product_id },
  { title: "NAME", text: (product) => product.name, shrinks: true },
  { title: "TERRITORIES", text: (product) => territoriesOf(product).join(","), shrinks: true },
  { title: "PRICES", text: (product) => pricesText(product.pricing_options), shrinks: true },
]
const REASON: Column<Product> = { title: "WHY", text: (product) => product.brief_relevance ?? "", shrinks: true }

type Missing = Omit<MissingProduct, "canOpen">

const MISSING: readonly Column<Missing>[] = [
  { title: "MISSING", text: ({ id }) => id },
  { title: "NAME", text: ({ name }) => name, shrinks: true },
  { title: "WHY", text: ({ why }) => why, shrinks: true },
]

function printSeen(io: Io, { id, label }: { readonly id: string; readonly label: string }, found: Found): void {
  const { products, missing, isFiltered } = found
  if (products.length > 0) {
    const isRanked = products.some((product) => product.brief_relevance !== undefined)
    printTable(io, products, isRanked ? [...SEEN, REASON] : SEEN)
  } else if (isFiltered) io.err(`No product that ${label} sees matches.\n`)
  else io.err(`${label} sees no products yet. Open one: adbooth agent-key open ${id} PRODUCT_ID --territories DE,AT\n`)
  if (products.length > 0 && missing.length > 0) io.out("\n")
  if (missing.length > 0) printTable(io, missing, MISSING)
}

interface Found {
  readonly products: readonly Product[]
  readonly missing: readonly Missing[]
  readonly isFiltered: boolean
}

function territoriesOf({ ext }: Product): readonly string[] {
  return (ext as { adbooth: { territories: readonly string[] } }).adbooth.territories
}
