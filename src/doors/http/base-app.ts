import { Elysia } from "elysia"
import type { ReadinessCheck } from "../../actions/operations/readiness.ts"
import { failure } from "../../domain/failure.ts"
import type { Log } from "../../log/log.ts"
import { problem, unexpected } from "./problem.ts"
import { metaOf } from "./request-meta.ts"

/** The Elysia app that doors are mounted on. Answers unknown paths and unexpected errors. */
export const baseApp = (log: Log) =>
  new Elysia().onError(({ code, error, request }) => {
    if (code === "NOT_FOUND") return nothingHere(request)
    log.error("unexpected failure", error, { request: metaOf(request).id })
    return problem(unexpected(error), request)
  })

export const nothingHere = (request: Request) =>
  problem(failure("not_found", "There is nothing at this address."), request)

/** For monitoring: /healthz says that the process is alive, /readyz that it can do its work. */
export const probes = (checkReadiness: () => Promise<readonly ReadinessCheck[]>) =>
  new Elysia()
    .get("/healthz", () => Response.json({ status: "ok" }))
    .get("/readyz", async () => {
      const readiness = await checkReadiness()
      const ready = readiness.every(({ ok, vital }) => ok || !vital)
      const checks = Object.fromEntries(readiness.map(({ name, ok, detail }) => [name, { ok, detail }]))
      const headers = ready ? {} : { "Retry-After": "5" }
      return Response.json({ status: ready ? "ready" : "not ready", checks }, { status: ready ? 200 : 503, headers })
    })
