import { catalogueFormats } from "../../domain/adcp/catalogue/built-in/index.ts"
import { isValidFormat, isValidProduct, type OwnFormats } from "../../domain/adcp/catalogue/check.ts"
import { type FormatView, prepareFormats } from "../../domain/adcp/format-view.ts"
import type { Product } from "../../domain/adcp/schema/product/product.ts"
import { type See, seeOnce } from "../../domain/adcp/visibility.ts"
import { nextTurn } from "../../next-turn.ts"
import { bodyOf, type FormatTexts, type ProductTexts } from "../../storage/steps/catalogue.ts"
import type { ReportContext } from "../context.ts"

// What is stored, read and checked. Most of it stays from one revision of the catalogue to the next: only what changed is read again, a few
// at a time, so that nobody waits for thousands. Checked although it was checked when saved: a database edited by hand must not break an answer.

/** All that follows from the formats: what is known of products is known beside them. */
interface Formats {
  readonly text: string
  readonly own: OwnFormats
  readonly view: FormatView
  readonly see: See
  /** By id. Null for one that is not valid. */
  readonly products: Map<string, { readonly text: string; readonly product: Product | null }>
}

export interface Shelf extends Pick<Formats, "own" | "view" | "see"> {
  /** Made on first use: anonymous callers need not wait for it. */
  readonly products: () => Promise<ReadonlyMap<string, Product>>
}

export function catalogueShelf(log: ReportContext["log"]) {
  let formats: Formats | undefined

  function leaveOut(noun: string, id: string): false {
    log.error(`stored ${noun} is not valid and was left out`, "it does not fit the schema", { [noun]: id })
    return false
  }

  /** Only stored formats are checked: built-in ones are valid. */
  function formatsOf(rows: FormatTexts, agentUrl: string): Formats {
    const text = JSON.stringify([agentUrl, rows])
    if (formats?.text === text) return formats
    const stored = new Map(rows.map(({ formatId, body }) => [formatId, bodyOf(body)]))
    const isValid = ([id, format]: [string, unknown]) =>
      !stored.has(id) || isValidFormat(format) || leaveOut("format", id)
    const own: OwnFormats = new Map([...catalogueFormats(stored)].filter(isValid))
    const view = prepareFormats(own, agentUrl)
    formats = { text, own, view, see: seeOnce(own, agentUrl), products: new Map() }
    return formats
  }

  async function productsOf(textsAfter: TextsAfter, { own, products }: Formats) {
    const shown = new Map<string, Product>()
    let rows = await textsAfter("")
    for (; rows.length > 0; rows = await textsAfter(rows.at(-1)?.productId ?? "")) {
      await fewAtOnce(rows, ({ productId: id, body: text }) => {
        const known = products.get(id)
        const isKnown = known !== undefined && known.text === text
        const product = isKnown ? known.product : validProduct(text, own)
        if (!isKnown) products.set(id, { text, product })
        if (product === null) leaveOut("product", id)
        else shown.set(id, product)
        return !isKnown
      })
      await nextTurn()
    }
    for (const id of products.keys()) if (!shown.has(id)) products.delete(id)
    return shown
  }

  return (formats: FormatTexts, textsAfter: TextsAfter, agentUrl: string): Shelf => {
    const known = formatsOf(formats, agentUrl)
    let valid: ReturnType<typeof productsOf> | undefined
    return {
      ...known,
      products() {
        valid ??= productsOf(textsAfter, known)
        return valid
      },
    }
  }
}

/** Some of the stored products, by id, after this one. What changes meanwhile moves the revision: then all of it is read again. */
type TextsAfter = (id: string) => Promise<ProductTexts>

function validProduct(text: string, own: OwnFormats): Product | null {
  const product = bodyOf(text)
  return isValidProduct(product, own) ? (product as Product) : null
}

// Reading, checking or writing so many products takes a few milliseconds.
const AT_ONCE = 5

/** Does something with each item that may take a while, and says so. Others are served in between. */
export async function fewAtOnce<Item>(items: readonly Item[], work: (item: Item) => boolean): Promise<void> {
  let done = 0
  for (const item of items) if (work(item) && ++done % AT_ONCE === 0) await nextTurn()
}
