import { describe, expect, test } from "bun:test"
import { AffiliateMetricInput } from "../../../src/domain/affiliate/affiliate-metric.ts"
import { AffiliateCodeInput, ROW_REASONS } from "../../../src/domain/affiliate/affiliate-report.ts"
import { DELIVERY_EFFECTS, DELIVERY_REASONS, DeliveryItemInput } from "../../../src/domain/delivery/delivery.ts"
import { DeliveryReport, DeliveryResult } from "../../../src/domain/delivery/delivery-result.ts"
import { statusOf } from "../../../src/domain/failure.ts"
import { AFFILIATE_CODES_FEED, AFFILIATE_METRICS_FEED, DELIVERY_FEED } from "../../../src/domain/feed-addresses.ts"
import { mint } from "../../../src/domain/keys/api-key.ts"
import * as limits from "../../../src/domain/limits.ts"

// What callers have written into their programs. A red line here asks: did you mean to change the wire?

describe("the wire of the ingest API", () => {
  test("addresses and sizes", () => {
    expect([DELIVERY_FEED.path, DELIVERY_FEED.field, DELIVERY_FEED.rows]).toEqual([
      "/api/ingest/delivery/metrics",
      "items",
      { min: 1, max: 500 },
    ])
    expect([AFFILIATE_CODES_FEED.path, AFFILIATE_CODES_FEED.field, AFFILIATE_CODES_FEED.rows]).toEqual([
      "/api/ingest/affiliate/codes",
      "codes",
      { min: 0, max: 1000 },
    ])
    expect([AFFILIATE_METRICS_FEED.path, AFFILIATE_METRICS_FEED.field, AFFILIATE_METRICS_FEED.rows]).toEqual([
      "/api/ingest/affiliate/metrics",
      "metrics",
      { min: 0, max: 1000 },
    ])
  })

  test("fields", () => {
    const fields = (schema: { properties: object }) => Object.keys(schema.properties)
    expect(fields(DeliveryItemInput)).toEqual(["package_id", "impressions", "downloads", "as_of"])
    expect(fields(DeliveryResult)).toEqual(["index", "package_id", "status", "effect", "reason", "message"])
    expect(fields(DeliveryReport)).toEqual(["accepted", "rejected", "results", "dry_run"])
    expect(fields(AffiliateCodeInput)).toEqual(["packageId", "code", "slug"])
    expect(fields(AffiliateMetricInput)).toEqual(["code", "date", "clicks", "conversions", "conversionValue"])
  })

  test("reasons and effects", () => {
    expect(DELIVERY_REASONS.join(" ")).toBe(
      "invalid_item duplicate_package_id not_seller before_flight_start as_of_in_future flat_rate_takes_no_quantity quantity_required internal_error",
    )
    expect(DELIVERY_EFFECTS.join(" ")).toBe("applied unchanged older_than_current")
    expect(ROW_REASONS.join(" ")).toBe("invalid_row not_seller date_in_future internal_error")
  })

  test("codes of refused requests and their statuses", () => {
    expect({
      invalid_json: statusOf("invalid_json"),
      invalid_request: statusOf("invalid_request"),
      unauthorized: statusOf("unauthorized"),
      not_found: statusOf("not_found"),
      method_not_allowed: statusOf("method_not_allowed"),
      body_timeout: statusOf("body_timeout"),
      body_too_large: statusOf("body_too_large"),
      unsupported_media_type: statusOf("unsupported_media_type"),
      rate_limited: statusOf("rate_limited"),
      internal_error: statusOf("internal_error"),
      unavailable: statusOf("unavailable"),
    }).toEqual({
      invalid_json: 400,
      invalid_request: 400,
      unauthorized: 401,
      not_found: 404,
      method_not_allowed: 405,
      body_timeout: 408,
      body_too_large: 413,
      unsupported_media_type: 415,
      rate_limited: 429,
      internal_error: 500,
      unavailable: 503,
    })
  })

  test("numbers of the specification", () => {
    expect(limits.INGEST_REQUESTS_PER_MINUTE).toBe(60)
    expect(limits.RATE_WINDOW_SECONDS).toBe(60)
    expect(limits.BODY_BYTES_MAX).toBe(1_048_576)
    expect(limits.AFFILIATE_CODE_CHARACTERS_MAX).toBe(128)
    expect(limits.AFFILIATE_SLUG_CHARACTERS_MAX).toBe(256)
    expect(limits.CONVERSION_VALUE_MAX).toBe(9_000_000_000)
    expect(limits.WHOLE_NUMBER_MAX).toBe(9_007_199_254_740_991)
  })

  test("a full batch fits the largest body", () => {
    const item = {
      package_id: crypto.randomUUID(),
      downloads: 123456789.123,
      as_of: "2026-11-14T18:30:00.123456+01:00",
    }
    expect(JSON.stringify({ items: new Array(500).fill(item) }).length).toBeLessThan(limits.BODY_BYTES_MAX)
    const row = {
      code: "x".repeat(128),
      date: "2026-11-14",
      clicks: 1e15,
      conversions: 1e15,
      conversionValue: 999999999.123456,
    }
    expect(JSON.stringify({ metrics: new Array(1000).fill(row) }).length).toBeLessThan(limits.BODY_BYTES_MAX)
  })

  test("keys that were handed out stay valid: the same random bytes make the same key", () => {
    const secret = mint("ingest", (count) => new Uint8Array(count).fill(10))
    expect(secret).toBe("abi_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA3SARF9")
  })
})
