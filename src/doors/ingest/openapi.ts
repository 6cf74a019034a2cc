import type { TSchema } from "@sinclair/typebox"
import { Elysia } from "elysia"
import packageJson from "../../../package.json"
import { AffiliateCodeInput } from "../../domain/affiliate/affiliate-code.ts"
import { AffiliateMetricInput } from "../../domain/affiliate/affiliate-metric.ts"
import { AffiliateReport, RowError } from "../../domain/affiliate/affiliate-report.ts"
import { DeliveryItemInput } from "../../domain/delivery/delivery.ts"
import { DeliveryReport, DeliveryResult } from "../../domain/delivery/delivery-result.ts"
import { Problem } from "../../domain/failure.ts"
import { FEEDS } from "./feeds.ts"
import { type IngestLimits, operationOf } from "./operations.ts"

const NAMES = new Map<unknown, string>([
  [DeliveryItemInput, "DeliveryItem"],
  [DeliveryResult, "DeliveryResult"],
  [DeliveryReport, "DeliveryReport"],
  [AffiliateCodeInput, "AffiliateCodeRow"],
  [AffiliateMetricInput, "AffiliateMetricRow"],
  [RowError, "AffiliateRowError"],
  [AffiliateReport, "AffiliateReport"],
  [Problem, "Problem"],
])

const DESCRIPTION = `Sellers report how much of a sold line was delivered, and how affiliate codes perform.

Every figure is a total, so a request may be repeated safely. Rows are accepted or refused one by one; one bad row does not stop the
others. Add \`?dry_run=true\` to any request to get the answer without anything being written.`

/** The OpenAPI 3.1 document of the ingest API, made from the feeds and the limits in force. */
export async function openapiDocument(limits: IngestLimits): Promise<object> {
  const { openapi } = await import("@elysiajs/openapi")
  const schemas = Object.fromEntries([...NAMES].map(([schema, name]) => [name, plain(schema, schema)]))
  const described = new Elysia().use(
    openapi({
      provider: null,
      specPath: "/openapi.json",
      exclude: { staticFile: true },
      documentation: {
        info: { title: "Adbooth ingest API", version: packageJson.version, description: DESCRIPTION },
        tags: [{ name: "Delivery" }, { name: "Affiliate" }],
        security: [{ apiKey: [] }],
        components: {
          schemas: schemas as never,
          securitySchemes: {
            apiKey: {
              type: "http",
              scheme: "bearer",
              description: "An API key that an admin of your organization creates under Settings, API keys.",
            },
          },
        },
      },
    }),
  )
  for (const feed of FEEDS)
    described.post(feed.path, () => "", { detail: operationOf(feed, limits, schemaOf) as never })
  const answer = await described.handle(new Request("http://localhost/openapi.json"))
  return (await answer.json()) as object
}

function schemaOf(schema: TSchema): unknown {
  return plain(schema)
}

/** A schema as a reader likes it: named parts as references, a choice of words as one list. */
function plain(value: unknown, root?: unknown): unknown {
  const name = NAMES.get(value)
  if (name !== undefined && value !== root) return { $ref: `#/components/schemas/${name}` }
  if (Array.isArray(value)) return value.map((element) => plain(element))
  if (typeof value !== "object" || value === null) return value
  const { anyOf, ...rest } = value as { anyOf?: { const?: unknown }[] }
  if (anyOf?.every((choice) => choice.const !== undefined)) {
    return { type: "string", enum: anyOf.map((choice) => choice.const), ...rest }
  }
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, plain(part)]))
}
