import { UserError } from "../../domain/user-error.ts"
import type { Measures } from "./measures.ts"

export type MetricsServer = ReturnType<typeof serveMetrics>

/** Serves metrics on a separate port, so that they are not public. */
export function serveMetrics({ registry }: Measures, hostname: string, port: number) {
  try {
    const server = Bun.serve({
      hostname,
      port,
      async fetch(request) {
        if (new URL(request.url, "http://localhost").pathname !== "/metrics")
          return new Response("Metrics are at /metrics.\n", { status: 404 })
        return new Response(await registry.metrics(), { headers: { "Content-Type": registry.contentType } })
      },
    })
    return { url: `${server.url.origin}/metrics`, stop: () => server.stop(true) }
  } catch (cause) {
    throw new UserError(`Port ${port} is already in use. Choose another one with --metrics-port.`, { cause })
  }
}
