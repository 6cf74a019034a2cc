import type { Context } from "../../../src/actions/context.ts"
import { lineById } from "../../../src/storage/campaigns/lines.ts"
import type { TestApp } from "../app.ts"
import { givenApiKey, givenLine, givenSeller, type Seller } from "./given.ts"

export const DELIVERY = "/api/ingest/delivery/metrics"
export const CODES = "/api/ingest/affiliate/codes"
export const METRICS = "/api/ingest/affiliate/metrics"

/** A line that is priced on impressions, and a key of its seller. */
export interface Feed {
  readonly seller: Seller
  readonly packageId: string
  readonly key: string
}

export async function givenFeed(context: Context): Promise<Feed> {
  const seller = await givenSeller(context)
  return { seller, packageId: await givenLine(context, seller), key: await givenKey(context, seller) }
}

/** A key of the seller, or of a new one. */
export async function givenKey(context: Context, seller?: Seller): Promise<string> {
  const { id } = seller ?? (await givenSeller(context))
  const { key } = await givenApiKey(context, id)
  return key
}

interface Sending {
  readonly path?: string
  readonly key?: string
  readonly type?: string
  readonly query?: string
}

/** Sends a body to a feed: an object as JSON, anything else as it is. */
export function post(app: TestApp, body: BodyInit | object, sending: Sending) {
  const { path = DELIVERY, key, type = "application/json", query = "" } = sending
  return app.fetch(path + query, {
    method: "POST",
    headers: { "Content-Type": type, ...(key !== undefined && { Authorization: `Bearer ${key}` }) },
    body: isBody(body) ? body : JSON.stringify(body),
  })
}

const isBody = (body: BodyInit | object): body is BodyInit =>
  typeof body === "string" || body instanceof Uint8Array || body instanceof ReadableStream

interface Line {
  readonly seller: { readonly id: number }
  readonly packageId: string
}

/** What the line has delivered so far. Null while nothing was reported. */
export async function deliveredOf({ database }: Context, { seller, packageId }: Line): Promise<number | null> {
  const line = await lineById(database.read, seller.id, packageId)
  return line?.total?.quantity ?? null
}

export interface AffiliateAnswer {
  readonly ok: boolean
  readonly upserted: number
  readonly errors: readonly { readonly index: number; readonly status: number; readonly reason: string }[]
}

export const sendCodes = async (app: TestApp, key: string, codes: readonly unknown[]) =>
  (await (await post(app, { codes }, { path: CODES, key })).json()) as AffiliateAnswer

export const sendMetrics = async (app: TestApp, key: string, metrics: readonly unknown[]) =>
  (await (await post(app, { metrics }, { path: METRICS, key })).json()) as AffiliateAnswer
