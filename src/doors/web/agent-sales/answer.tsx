import type { ComponentChildren } from "preact"
import type { MissingProduct } from "../../../actions/keys/preview-agent-key.ts"
import type { Product } from "../../../domain/adcp/schema/product/product.ts"
import { EVERYWHERE } from "../../../domain/keys/opening.ts"
import { itemAddress, PRODUCT } from "../frame/navigation.ts"
import { pricesOf } from "../operator/catalogue/prices.tsx"
import { ButtonLink, Card } from "../parts/blocks.tsx"
import { formatCount } from "../parts/format.tsx"
import { Icon } from "../parts/icon.tsx"
import { openingHref } from "./opening.tsx"
import { countriesInWords } from "./words.ts"

// What a key sees, and what it was answered, are shown alike: products with the reason for each, and the others with theirs.

/** Where the product is open to the buyer who asked. */
const territoriesIn = ({ ext }: Product): readonly string[] =>
  (ext as { adbooth?: { territories?: string[] } } | undefined)?.adbooth?.territories ?? []

type AnswerProps = Readonly<{ title: string; count: number; note?: ComponentChildren; children: ComponentChildren }>

/** With a note above the list, such as what was understood. */
export const AnswerCard = ({ title, count, note, children }: AnswerProps) => (
  <Card flush title={title} count={formatCount(count, "product")}>
    {note && <div class="card-note stack tight soft">{note}</div>}
    {children}
  </Card>
)

interface SeenListProps {
  readonly products: readonly Product[]
  /** The place of the first one. */
  readonly first?: number
  readonly keyId: string | null
  /** Countries that were asked for. */
  readonly wanted: readonly string[]
  /** Whether they are what was asked for. */
  readonly hasMatched?: boolean
  /** Whether the reasons name countries already: those of the brief. */
  readonly saysCountries: boolean
}

const isUnwanted = (reason: string) => reason.startsWith("Not wanted")

export function SeenList({ products, first = 0, keyId, wanted, hasMatched = true, saysCountries }: SeenListProps) {
  const resultOf = (product: Product, i: number) => {
    const { product_id: id, name, brief_relevance: reason } = product
    const territories = territoriesIn(product)
    const closed = territories.includes(EVERYWHERE) ? [] : wanted.filter((code) => !territories.includes(code))
    const label = closed.length > 0 ? `Show it in ${countriesInWords(closed)}` : "Change countries"
    const action = keyId !== null && { href: openingHref(id, keyId, closed), label, kind: "quiet" as const }
    // All that there is to say of countries, unless only some of them are open.
    const isSaid = reason !== undefined && saysCountries && [0, wanted.length].includes(closed.length)
    return (
      <Result rank={String(first + i + 1)} id={id} name={name} price={pricesOf(product)} action={action}>
        {reason !== undefined && <Reason tone={hasMatched && !isUnwanted(reason) ? "good" : "warn"}>{reason}</Reason>}
        {!isSaid && (
          <Reason tone={closed.length === 0 ? "good" : "warn"}>
            Shown in {countriesInWords(territories)}
            {closed.length > 0 && `, but not in ${countriesInWords(closed, "or")}`}.
          </Reason>
        )}
      </Result>
    )
  }
  return (
    <ol class="results" start={first + 1}>
      {products.map(resultOf)}
    </ol>
  )
}

type MissingListProps = Pick<SeenListProps, "keyId" | "wanted"> & Readonly<{ missing: readonly MissingProduct[] }>

export const MissingList = ({ missing, keyId, wanted }: MissingListProps) => (
  <ul class="results">
    {missing.map(({ id, name, why, canOpen }) => {
      const action = canOpen && keyId !== null && { href: openingHref(id, keyId, wanted), label: "Show to this buyer" }
      return (
        <Result id={id} name={name} action={action}>
          <Reason tone={canOpen ? "warn" : "off"}>{why}</Reason>
        </Result>
      )
    })}
  </ul>
)

interface ResultProps {
  readonly rank?: string
  readonly id: string
  readonly name: string
  readonly price?: string
  readonly action?: Readonly<{ href: string; label: string; kind?: "quiet" }> | false
  readonly children: ComponentChildren
}

/** A product with the reasons that it is, or is not, in an answer. */
export const Result = ({ rank = "–", id, name, price, action, children }: ResultProps) => (
  <li>
    <span class="rank" aria-hidden="true">
      {rank}
    </span>
    <div class="stack tight">
      <h3>
        <a class="name" href={itemAddress(PRODUCT, id)}>
          {name}
        </a>{" "}
        {price !== undefined && <span class="soft plain">{price}</span>}
      </h3>
      {children}
    </div>
    {action && (
      <div class="actions">
        <ButtonLink small {...action} about={`${action.label}: ${name}`} />
      </div>
    )}
  </li>
)

const ICONS = { good: "check", warn: "info", off: "close" } as const

export const Reason = ({ tone, children }: Readonly<{ tone: keyof typeof ICONS; children: ComponentChildren }>) => (
  <p class={`reason ${tone}`}>
    <Icon name={ICONS[tone]} />
    <span>{children}</span>
  </p>
)
