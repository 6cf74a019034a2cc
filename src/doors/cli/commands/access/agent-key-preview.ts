import type { Command } from "commander"
import {
  type MissingProduct,
  type PreviewQuestion,
  previewAgentKey,
} from "../../../../actions/keys/preview-agent-key.ts"
import type { Product } from "../../../../domain/adcp/schema/product/product.ts"
import { pricesText } from "../../../../domain/adcp/text/product-line.ts"
import { jsonObjectOf } from "../../../../domain/text/json-object.ts"
import { UserError } from "../../../../domain/user-error.ts"
import { type CliContext, type CommonOptions, onStore, withData } from "../../context.ts"
import { explained } from "../../help/help.ts"
import { type Io, printJson } from "../../io.ts"
import { noAgentKey } from "../../keys.ts"
import { printTable } from "../../output/print-list.ts"
import type { Column } from "../../output/table.ts"

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
      const preview = await onStore(context, options, (on) => previewAgentKey({ ...on, log }, idOrPrefix, question))
      if (preview === null) throw noAgentKey(idOrPrefix)
      if (preview.error !== undefined) throw new UserError(preview.error)
      const { id, label } = preview
      const products = preview.products.slice(0)
      const missing = preview.missing.slice(0)
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

const MISSING: readonly Column<MissingProduct>[] = [
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
  readonly missing: readonly MissingProduct[]
  readonly isFiltered: boolean
}

function territoriesOf({ ext }: Product): readonly string[] {
  return (ext as { adbooth: { territories: readonly string[] } }).adbooth.territories
}
