import { bearer } from "@elysiajs/bearer"
import { Elysia } from "elysia"
import type { ReportContext } from "../../actions/context.ts"
import { methodNotAllowed } from "../../domain/failure.ts"
import type { Handle } from "../http/lazy-door.ts"
import { problem } from "../http/problem.ts"
import { FEEDS } from "./feeds.ts"
import { type IngestSettings, receiver } from "./receive.ts"
import { reference } from "./reference.ts"

/**
 * The ingest API: three feeds, each with its own window of requests, and their documentation. The lanes are what is asked for most, by
 * exact address, for whoever wants to spare it the routing; the routes answer the same, and all other spellings of it.
 */
export function ingestDoor(context: ReportContext, settings: IngestSettings) {
  const routes = new Elysia().use(bearer())
  const lanes = new Map<string, Handle>()
  for (const feed of FEEDS) {
    const receive = receiver(feed, context, settings)
    const refuse = (request: Request) => problem(methodNotAllowed("POST"), request)
    lanes.set(feed.path, (request) => (request.method === "POST" ? receive(request) : refuse(request)))
    routes
      .post(feed.path, ({ request, bearer }) => receive(request, bearer), { parse: "none" })
      .all(feed.path, ({ request }) => refuse(request), { parse: "none" })
  }
  return { routes: routes.use(reference(settings)), lanes }
}
