import type { Product } from "../../../domain/adcp/schema/product/product.ts"
import type { AskedBrief } from "../../../domain/demand/demand-tally.ts"
import { type Offer, type WhyNothing, whyNothing } from "../../../domain/demand/why-nothing.ts"
import { AGENT_KEY, AGENT_KEYS, at, PRODUCTS, REQUEST } from "../frame/navigation.ts"
import { ButtonLink } from "../parts/buttons.tsx"
import { Ago, formatMoney, formatNumber } from "../parts/format.tsx"
import type { PersonVisit } from "../visit.ts"
import { Reason } from "./answer.tsx"
import { openingHref } from "./opening.tsx"
import { channelInWords, countriesInWords, listed } from "./words.ts"

/** What is known beside the briefs themselves. */
export interface Known {
  readonly offer: Offer
  readonly keyNames: ReadonlyMap<string, string>
  readonly productNames: ReadonlyMap<string, string>
  /** The page of the first key that is in use. */
  readonly firstKey: string | undefined
}

export async function knownTo({ context }: PersonVisit): Promise<Known> {
  const products = (await context.store.catalogue.products()).map(({ productId, body }) => ({
    id: productId,
    product: body as Partial<Product> | null,
  }))
  const keys = await context.store.agentKeys.list()
  const active = keys.find(({ revokedAt }) => revokedAt === null)
  return {
    keyNames: new Map(keys.map(({ id, label }) => [id, label])),
    productNames: new Map(products.map(({ id, product }) => [id, product?.name ?? id])),
    offer: {
      channelsOf: new Map(products.map(({ id, product }) => [id, product?.channels ?? []])),
      openingsOf: new Map(keys.map(({ id, openings }) => [id, openings])),
    },
    firstKey: active && at(AGENT_KEY, active.id),
  }
}

type MissesProps = Readonly<{ briefs: readonly AskedBrief[]; known: Known }>

/** Briefs that found nothing, each with the likely reason and what to do about it. */
export function Misses({ briefs, known }: MissesProps) {
  return (
    <ul class="misses">
      {briefs.map((brief) => {
        const why = whyNothing(brief, known.offer)
        return (
          <li key={brief.lastId}>
            <div class="stack tight">
              <h3>
                <a class="name" href={at(REQUEST, brief.lastId)}>
                  “{brief.brief}”
                </a>
              </h3>
              <About brief={brief} known={known} />
              <Reason tone="warn">{whyInWords(why, brief, known)}</Reason>
            </div>
            <Cures brief={brief} why={why} known={known} />
          </li>
        )
      })}
    </ul>
  )
}

function About({ brief, known }: { readonly brief: AskedBrief; readonly known: Known }) {
  const { agentKeyId, countries, budget, currency, asked, lastAt } = brief
  const parts = [
    agentKeyId === null ? "Without a key" : (known.keyNames.get(agentKeyId) ?? agentKeyId),
    <Ago at={lastAt} key="at" />,
    countriesInWords(countries),
    budget === null ? "" : formatMoney(budget, currency),
    asked === 1 ? "" : asked === 2 ? "asked twice" : `asked ${formatNumber(asked)} times`,
  ].filter((part) => part !== "")
  return <p class="small soft">{parts.flatMap((part, i) => (i === 0 ? [part] : [" · ", part]))}</p>
}

/** Why a brief found nothing. */
export function whyInWords(found: WhyNothing, { countries }: Pick<AskedBrief, "countries">, { productNames }: Known) {
  const there = countries.length === 0 ? "" : ` in ${countriesInWords(countries, "or")}`
  if (found.why === "no key") return "Asked without a key. Only buyers with a key see products."
  if (found.why === "words") return "No product open to this key mentions what the brief asks for."
  if (found.wouldFit !== undefined) {
    return (
      <>
        <b>{productNames.get(found.wouldFit)}</b> might fit, but is not open to this key{there}.
      </>
    )
  }
  if (found.why === "channel") return `You have no product for ${listed(found.channels.map(channelInWords), "or")}.`
  return found.why === "country" ? `Nothing is open to this key${there}.` : "No product is open to this key."
}

type CuresProps = Readonly<{ brief: AskedBrief; why: WhyNothing; known: Known }>

/** The cheapest cure first. */
function Cures({ brief, why, known }: CuresProps) {
  const { agentKeyId, countries, lastId } = brief
  const about = (label: string) => `${label}: ${brief.brief}`
  const name = why.wouldFit === undefined ? "" : (known.productNames.get(why.wouldFit) ?? why.wouldFit)
  const open = agentKeyId !== null && why.wouldFit !== undefined && openingHref(why.wouldFit, agentKeyId, countries)
  return (
    <div class="actions">
      {open !== false && (
        <ButtonLink small href={open} label="Open it to this key" about={`${about("Open it to this key")}, ${name}`} />
      )}
      {why.why === "no key" && (
        <ButtonLink small href={AGENT_KEYS} label="Create a key" about={about("Create a key")} />
      )}
      <ButtonLink
        small
        {...(open !== false && { kind: "quiet" as const })}
        href={draftHref(lastId)}
        label="Draft a product for this"
        about={about("Draft a product for this")}
      />
    </div>
  )
}

/** The form of a new product, filled in from a request. */
export const draftHref = (requestId: number): string => `${PRODUCTS}/new?for=${requestId}`
