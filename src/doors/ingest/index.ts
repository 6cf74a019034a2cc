import { bearer } from "@elysiajs/bearer"
import { Elysia } from "elysia"
import type { ReportContext } from "../../actions/context.ts"
import { methodNotAllowed } from "../../domain/failure.ts"
import { problem } from "../http/problem.ts"
import { FEEDS } from "./feeds.ts"
import { type IngestSettings, receiver } from "./receive.ts"
import { reference } from "./reference.ts"

/** The ingest API: three feeds, each with its own window of requests, and their documentation. */
export function ingestDoor(context: ReportContext, settings: IngestSettings) {
  const door = new Elysia().use(bearer())
  for (const feed of FEEDS) {
    const receive = receiver(feed, context, settings)
    door
      .post(feed.path, ({ request, bearer }) => receive(request, bearer), { parse: "none" })
      .all(feed.path, ({ request }) => problem(methodNotAllowed("POST"), request), { parse: "none" })
  }
  return door.use(reference())
}
