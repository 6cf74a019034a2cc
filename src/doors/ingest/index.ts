import type { ReportContext } from "../../actions/context.ts"
import type { Handle } from "../http/lazy-door.ts"
import { feedHandler, type IngestSettings } from "./handle-feed.ts"
import { fileHandler } from "./handle-files.ts"
import { feedRoutes, fileRoutes, onlyPost } from "./routes.ts"

/** The ingest API: three feeds and whole files, each with its own rate window. `fastRoutes` has the same handlers by exact path, for the fast path. */
export function ingestDoor(context: ReportContext, settings: IngestSettings) {
  const fastRoutes = new Map<string, Handle>()
  const routes = feedRoutes(settings, (feed) => {
    const handle = feedHandler(feed, context, settings)
    fastRoutes.set(feed.path, (request) => (request.method === "POST" ? handle(request) : onlyPost(request)))
    return handle
  })
  return { routes: routes.use(fileRoutes(settings, fileHandler(context, settings))), fastRoutes }
}
