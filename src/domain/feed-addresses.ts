import { AFFILIATE_ROWS_MAX, DELIVERY_ITEMS_MAX, DELIVERY_ITEMS_MIN } from "./limits.ts"

export interface FeedAddress {
  readonly name: string
  readonly path: string
  readonly field: string
  readonly rows: { readonly min: number; readonly max: number }
}

export const DELIVERY_FEED: FeedAddress = {
  name: "delivery",
  path: "/api/ingest/delivery/metrics",
  field: "items",
  rows: { min: DELIVERY_ITEMS_MIN, max: DELIVERY_ITEMS_MAX },
}

export const AFFILIATE_CODES_FEED: FeedAddress = {
  name: "affiliate-codes",
  path: "/api/ingest/affiliate/codes",
  field: "codes",
  rows: { min: 0, max: AFFILIATE_ROWS_MAX },
}

export const AFFILIATE_METRICS_FEED: FeedAddress = {
  name: "affiliate-metrics",
  path: "/api/ingest/affiliate/metrics",
  field: "metrics",
  rows: { min: 0, max: AFFILIATE_ROWS_MAX },
}

export const FILES_PATH = "/api/ingest/files"
