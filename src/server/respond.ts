import type { Context } from "../actions/context.ts"
import { REQUEST_LIMITS, type RequestLimits } from "../http/limits.ts"
import { scopeOf } from "../http/scope.ts"
import { type Responder, type ResponderOptions, responder } from "../http/server.ts"
import { noteRefusal } from "../storage/operations/settings.ts"
import { createApp } from "./app.ts"

type Observe = NonNullable<ResponderOptions["observe"]>

interface RespondOptions {
  readonly limits?: Partial<RequestLimits>
  /** Counts every answer, for metrics. */
  readonly observe?: Observe
}

/** Answers the requests of every port: the four ways in behind the limits, with refused requests counted. */
export function respondTo(context: Context, { limits, observe }: RespondOptions = {}): Responder {
  const { log, config, database, clock, services } = context
  return responder(createApp(context).fetch, {
    limits: { ...REQUEST_LIMITS, ...limits },
    log,
    trustProxy: config.trustProxy,
    isSecure: () => config.publicUrl?.startsWith("https:") === true || services.https.url() !== null,
    observe(request, status, ms) {
      observe?.(request, status, ms)
      if (!isRefusal(status)) return
      const way = wayOf(request)
      if (way === "api" || way === "agent") noteRefusal(database.later, way, status, clock())
    },
  })
}

const isRefusal = (status: number): boolean => [400, 401, 403, 413, 415, 429, 503].includes(status)

export const WAYS = ["api", "agent", "app", "probe", "other"] as const
type Way = (typeof WAYS)[number]

/** The way in that a request took. It's one of a fixed set, so strangers can't add labels to the metrics. */
export function wayOf(request: Request): Way {
  const { path: pathname } = scopeOf(request)
  if (pathname === "/") return "agent"
  if (pathname.startsWith("/api/")) return "api"
  if (/^\/(app|order|share)(\/|$)/.test(pathname)) return "app"
  return pathname === "/healthz" || pathname === "/readyz" ? "probe" : "other"
}
