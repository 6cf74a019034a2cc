import { bearer } from "@elysiajs/bearer"
import { Elysia } from "elysia"
import { methodNotAllowed } from "../../domain/failure.ts"
import { problem } from "../http/problem.ts"
import { FEEDS, type Feed } from "./feeds.ts"
import { type IngestLimits, operationOf } from "./openapi-operations.ts"

export type FeedHandler = (request: Request, bearer?: string) => Promise<Response>

/** The addresses of the feeds, each with its description for the OpenAPI document. */
export function feedRoutes(limits: IngestLimits, handlerOf: (feed: Feed) => FeedHandler) {
  const routes = new Elysia().use(bearer())
  for (const feed of FEEDS) {
    const handle = handlerOf(feed)
    routes
      .post(feed.path, ({ request, bearer }) => handle(request, bearer), {
        parse: "none",
        detail: operationOf(feed, limits) as never,
      })
      .all(feed.path, ({ request }) => onlyPost(request), { parse: "none", detail: { hide: true } })
  }
  return routes
}

export function onlyPost(request: Request): Response {
  return problem(methodNotAllowed("POST"), request)
}
