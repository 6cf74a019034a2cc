import { AFFILIATE_ROWS_MAX, DELIVERY_ITEMS_MAX, DELIVERY_ITEMS_MIN } from "./limits.ts"

export type FeedAddress = Readonly<ReturnType<typeof address>>

const address = (name: string, path: string, field: string, min: number, max: number) => {
  return { name, path: `/api/ingest/${path}`, field, rows: { min, max } }
}

const rows = AFFILIATE_ROWS_MAX
export const DELIVERY_FEED = address("delivery", "delivery/metrics", "items", DELIVERY_ITEMS_MIN, DELIVERY_ITEMS_MAX)
export const AFFILIATE_CODES_FEED = address("affiliate-codes", "affiliate/codes", "codes", 0, rows)
export const AFFILIATE_METRICS_FEED = address("affiliate-metrics", "affiliate/metrics", "metrics", 0, rows)

export const FILES_PATH = "/api/ingest/files"
