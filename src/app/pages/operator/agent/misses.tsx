import { channelLabel } from "../../../../domain/adcp/brief/words.ts"
import { type AskedBrief, type AskedCall, type Cure, likelyCure } from "../../../../domain/demand.ts"
import { allOpenings, type KeyOpening, storedProducts } from "../../../../storage/catalogue/catalogue.ts"
import { buyerKeys } from "../../../../storage/keys.ts"
import type { Link, Todo } from "../../../parts/blocks.tsx"
import { formatNumber, listInWords } from "../../../parts/format.tsx"
import type { SignedInVisit } from "../../../visit.ts"
import { BUYER_KEYS, keyNames, PRODUCTS, productName, REQUESTS, showAddress, territoriesInWords } from "./words.ts"

/** The products and openings of today. They explain the likely reason of an old miss. */
interface Known {
  /** The names of all keys, by ID. */
  readonly keys: ReadonlyMap<string, string>
  readonly active: ReadonlySet<string>
  readonly openings: ReadonlyMap<string, readonly KeyOpening[]>
  readonly products: ReadonlyMap<string, string>
  readonly channels: ReadonlyMap<string, readonly string[]>
}

export async function knownTo({ context }: SignedInVisit): Promise<Known> {
  const { read } = context.database
  const keys = await buyerKeys(read)
  const stored = await storedProducts(read)
  return {
    keys: keyNames(keys),
    active: new Set(keys.filter(({ revokedAt }) => revokedAt === null).map(({ id }) => id)),
    openings: Map.groupBy(await allOpenings(read), ({ buyerKeyId }) => buyerKeyId),
    products: new Map(stored.map((each) => [each.id, productName(each)])),
    channels: new Map(stored.map(({ id, product }) => [id, product.channels ?? []])),
  }
}

export function cureOf(call: AskedCall, known: Known): Cure {
  const { buyerKeyId } = call
  const isActive = buyerKeyId !== null && known.active.has(buyerKeyId)
  const openings = isActive ? (known.openings.get(buyerKeyId) ?? []) : null
  return likelyCure(call, { channels: known.channels, openings })
}

/** A missed brief as something to do, with the likely cure. */
export function missTodo({ brief, calls, last }: AskedBrief, known: Known): Todo {
  const cure = cureOf(last, known)
  const times = calls === 1 ? "" : calls === 2 ? ", asked twice" : `, asked ${formatNumber(calls)} times`
  const key = last.buyerKeyId === null ? "without a key" : (known.keys.get(last.buyerKeyId) ?? last.buyerKeyId)
  const link = cureLink(cure, last)
  return {
    tone: "warn",
    icon: "message",
    subject: `“${brief}”`,
    what: `by ${key}${times}`,
    text: (
      <>
        {whyInWords(cure, last, known)} <a href={`${REQUESTS}/${last.id}`}>See the request</a>
      </>
    ),
    href: link.href,
    action: link.label,
  }
}

/** Why a brief found nothing, as far as we can tell. */
export function whyInWords(cure: Cure, { channels, countries }: AskedCall, { products }: Known): string {
  const there = (countries ?? []).length === 0 ? "" : ` in ${territoriesInWords(countries ?? [])}`
  switch (cure.kind) {
    case "give a key":
      return "It came without a key. Products are shown only to buyer keys."
    case "revoked":
      return "The key that asked is revoked."
    case "more countries":
      return `${products.get(cure.productId)} is shown to this buyer, but not${there}.`
    case "show":
      return `${products.get(cure.productId)} might fit, but is hidden from this buyer.`
    default:
      return `You have no product for ${channelsInWords(channels ?? [])}${there}.`
  }
}

const channelsInWords = (channels: readonly string[]): string =>
  channels.length === 0 ? "it" : listInWords(channels.map(channelLabel), 4, "or")

export function cureLink(cure: Cure, { buyerKeyId }: AskedCall): Link {
  switch (cure.kind) {
    case "give a key":
    case "revoked":
      return { href: `${BUYER_KEYS}#new-key`, label: "Create a buyer key" }
    case "more countries":
      return { href: showAddress(cure.productId, buyerKeyId ?? ""), label: "Add countries" }
    case "show":
      return { href: showAddress(cure.productId, buyerKeyId ?? ""), label: "Show to this buyer" }
    default:
      return { href: `${PRODUCTS}/new`, label: "New product" }
  }
}
