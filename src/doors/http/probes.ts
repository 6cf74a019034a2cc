import { Elysia } from "elysia"
import type { ReadinessCheck } from "../../actions/operations/readiness.ts"

/** For monitoring: /healthz says that the process is alive, /readyz that it can do its work. */
export function probes(checkReadiness: () => Promise<readonly ReadinessCheck[]>) {
  return new Elysia()
    .get("/healthz", () => Response.json({ status: "ok" }))
    .get("/readyz", async () => {
      const readiness = await checkReadiness()
      const ready = readiness.every(({ ok, vital }) => ok || !vital)
      const checks = Object.fromEntries(readiness.map(({ name, ok, detail }) => [name, { ok, detail }]))
      const headers = ready ? {} : { "Retry-After": "5" }
      return Response.json({ status: ready ? "ready" : "not ready", checks }, { status: ready ? 200 : 503, headers })
    })
}
