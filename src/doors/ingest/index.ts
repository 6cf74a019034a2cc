import { bearer } from "@elysiajs/bearer"
import { Elysia } from "elysia"
import type { ReportContext } from "../../actions/context.ts"
import { methodNotAllowed } from "../../domain/failure.ts"
import type { Handle } from "../http/lazy-door.ts"
import { problem } from "../http/problem.ts"
import { docsPage } from "./docs-page.ts"
import { FEEDS } from "./feeds.ts"
import { feedHandler, type IngestSettings } from "./handle-feed.ts"

/**
 * The ingest API: three feeds, each with its own window of requests, and their documentation. `fastRoutes` has the same
 * handlers by exact path, for the fast path; the routes also answer every other spelling of these addresses.
 */
export function ingestDoor(context: ReportContext, settings: IngestSettings) {
  const routes = new Elysia().use(bearer())
  const fastRoutes = new Map<string, Handle>()
  for (const feed of FEEDS) {
    const receive = feedHandler(feed, context, settings)
    const refuse = (request: Request) => problem(methodNotAllowed("POST"), request)
    fastRoutes.set(feed.path, (request) => (request.method === "POST" ? receive(request) : refuse(request)))
    routes
      .post(feed.path, ({ request, bearer }) => receive(request, bearer), { parse: "none" })
      .all(feed.path, ({ request }) => refuse(request), { parse: "none" })
  }
  return { routes: routes.use(docsPage(settings)), fastRoutes }
}
