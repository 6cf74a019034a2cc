import { NOT_YOUR_CODE } from "../domain/affiliate/report.ts"

/** A request and its answer, for the OpenAPI document. test/api/openapi.test.ts checks both against the schemas. */
export interface Example {
  readonly request: object
  readonly answer: object
}

const PACKAGE_ID = "0b8f5a0e-6d1c-4b43-9a55-0d6f6f2f9a01"
const UNKNOWN_ID = "7d1f0c7e-2a43-4a0f-8a3e-5f1f4b1b2c02"

export const DELIVERY_EXAMPLE: Example = {
  request: {
    items: [
      { package_id: PACKAGE_ID, impressions: 125_000, as_of: "2026-11-14" },
      { package_id: UNKNOWN_ID, downloads: 3_400.5 },
    ],
  },
  answer: {
    accepted: 1,
    rejected: 1,
    results: [
      { index: 0, package_id: PACKAGE_ID, status: "accepted", effect: "applied" },
      {
        index: 1,
        package_id: UNKNOWN_ID,
        status: "rejected",
        reason: "not_seller",
        message: "package_id isn't a package that your organization sells.",
      },
    ],
  },
}

export const CODES_EXAMPLE: Example = {
  request: { codes: [{ packageId: PACKAGE_ID, code: "AUTUMN10", slug: "autumn-10" }] },
  answer: { ok: true, upserted: 1, errors: [] },
}

export const METRICS_EXAMPLE: Example = {
  request: {
    metrics: [
      { code: "AUTUMN10", date: "2026-11-14", clicks: 120, conversions: 4, conversionValue: 199.95 },
      { code: "WINTER", date: "2026-11-14", clicks: 7 },
    ],
  },
  answer: { ok: false, upserted: 1, errors: [{ index: 1, status: 400, ...NOT_YOUR_CODE }] },
}
