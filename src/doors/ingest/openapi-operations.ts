import { type FailureCode, failure, Problem, problemOf, statusOf } from "../../domain/failure.ts"
import { RATE_WINDOW_SECONDS } from "../../domain/limits.ts"
import type { Feed } from "./feeds.ts"
import { published } from "./named-schemas.ts"

export const TAGS = [
  { name: "Delivery", description: "How much of each sold line was delivered to date." },
  { name: "Affiliate", description: "Affiliate codes of sold lines, and how they perform day by day." },
  {
    name: "Files",
    description: "Exports of ad servers, podcast hosts, newsletter services and affiliate networks, as they are.",
  },
] as const

export type IngestLimits = Readonly<{ requestsPerMinute: number; bodyBytesMax: number }>

type Reasons = readonly (readonly [FailureCode, string])[]

const refusalsOfFeeds = ({ bodyBytesMax }: IngestLimits): Reasons => [
  [
    "invalid_json",
    "The body is not valid JSON, has too many levels, or its one array is missing, is not an array, or has the wrong length.",
  ],
  ["method_not_allowed", "Only POST is answered here."],
  ["body_timeout", "The body did not arrive in time."],
  ["body_too_large", `The body is larger than ${bodyBytesMax} bytes.`],
  ["unsupported_media_type", "The body is not declared as application/json, or is compressed."],
]

const refusalsOfAll = ({ requestsPerMinute }: IngestLimits): Reasons => [
  ["unauthorized", "The key is missing, wrong or revoked."],
  [
    "rate_limited",
    `More than ${requestsPerMinute} requests of this key to this feed within ${RATE_WINDOW_SECONDS} seconds. Wait for the seconds in Retry-After.`,
  ],
  [
    "unavailable",
    "The server is overloaded, or its database cannot be reached. Nothing was stored; send the request again after Retry-After.",
  ],
  ["internal_error", "An error on our side. Send the request again later: what was stored all the same is unchanged."],
]

export function operationOf(feed: Feed, limits: IngestLimits): object {
  const { tag, summary, description, example } = feed
  return {
    operationId: feed.name,
    tags: [tag],
    summary,
    description,
    parameters: [DRY_RUN],
    requestBody: {
      required: true,
      content: { "application/json": { schema: published(feed.batch.schema), example: example.request } },
    },
    responses: {
      200: answered(feed, limits, "Every row was checked. The answer says which were rejected.", example.answer),
      ...refused(feed, limits, refusalsOfFeeds(limits)),
    },
  }
}

type Described = Pick<Feed, "name" | "answer">

export const answered = (feed: Described, limits: IngestLimits, description: string, example: unknown) => ({
  description,
  headers: { ...REQUEST_ID, ...rate(feed, limits) },
  content: { "application/json": { schema: published(feed.answer), example } },
})

/** By status: these, and those that every address has. */
export function refused(feed: Described, limits: IngestLimits, reasons: Reasons): object {
  const extra: Partial<Record<FailureCode, object>> = {
    unauthorized: { "WWW-Authenticate": text("Bearer, with error=invalid_token when a key was sent.") },
    method_not_allowed: { Allow: text("POST") },
    rate_limited: { ...rate(feed, limits), ...RETRY_AFTER },
    unavailable: RETRY_AFTER,
  }
  const all = [...reasons, ...refusalsOfAll(limits)].map(([code, description]) => {
    const example = problemOf(failure(code, description), "6f1d2c3b4a59-1z")
    const content = { "application/problem+json": { schema: published(Problem), example } }
    return [statusOf(code), { description, headers: { ...REQUEST_ID, ...extra[code] }, content }]
  })
  return Object.fromEntries(all)
}

const DRY_RUN = {
  name: "dry_run",
  in: "query",
  required: false,
  schema: { type: "boolean", default: false },
  description: "If true, nothing is written. The answer is the same, with dry_run: true added.",
}

const text = (description: string) => ({ description, schema: { type: "string" } })
const REQUEST_ID = {
  "X-Request-Id": text(
    "The id of this request, which begins with the trace id if you sent `traceparent`. Quote it when you ask for help.",
  ),
}
const rate = ({ name }: Described, { requestsPerMinute: limit }: IngestLimits) => ({
  "RateLimit-Policy": text(
    `The limit of this feed, "${name}";q=${limit};w=${RATE_WINDOW_SECONDS}: ${limit} requests in any ${RATE_WINDOW_SECONDS} seconds.`,
  ),
  RateLimit: text("What is left of it: r requests now; t seconds until the oldest counted request leaves the window."),
})
const RETRY_AFTER = { "Retry-After": text("Seconds after which the next request is admitted, at least 1.") }
