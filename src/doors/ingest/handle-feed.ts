import type { ReportContext } from "../../actions/context.ts"
import { noteFailure, noteReport } from "../../actions/delivery/note-feed-request.ts"
import type { Reporter } from "../../actions/delivery/report-delivery.ts"
import { admitIngest } from "../../actions/keys/admit.ts"
import type { AffiliateReport } from "../../domain/affiliate/affiliate-report.ts"
import type { RateWindow } from "../../domain/callers/rate-limit.ts"
import type { DeliveryReport } from "../../domain/delivery/delivery-result.ts"
import type { Failure } from "../../domain/failure.ts"
import { failure, isFailure, keyMissing, keyRefused, overloaded, rateLimited } from "../../domain/failure.ts"
import { rateHeaders, readyHeaders, secretOf } from "../http/headers.ts"
import { bodyOf } from "../http/large-body.ts"
import { disconnected, problem } from "../http/problem.ts"
import { readJson, wrongContentType } from "../http/read-body.ts"
import { metaOf } from "../http/request-meta.ts"
import type { WrongKeys } from "../http/wrong-keys.ts"
import type { Feed } from "./feeds.ts"
import type { IngestLimits } from "./openapi-operations.ts"
import { tickBarrier } from "./tick-barrier.ts"

export interface IngestSettings extends IngestLimits {
  readonly wrongKeys: WrongKeys
  /** Headers of every response. */
  readonly headers: Headers
  readonly onReport?: ((feed: string, report: DeliveryReport | AffiliateReport) => void) | undefined
}

type Headers = Readonly<Record<string, string>>

/** A request with a valid key, within its limit. */
interface Keyed {
  readonly reporter: Reporter
  /** Counts a refused request of the key. */
  readonly refuse: (failed: Failure) => Response
  readonly answer: (body: object, status?: number) => Response
}

/** Checks the key and counts the request in its window: the seller that reports, or the refusal. */
export function keyHolders(context: ReportContext, settings: IngestSettings, window: RateWindow) {
  const ready = readyHeaders(settings.headers, window)

  async function refuseKey(request: Request): Promise<Response> {
    const { admission, rate } = await settings.wrongKeys(request)
    if (admission.allowed) return problem(keyRefused(), request)
    return problem(rateLimited(admission.retryAfterSeconds), request, rate())
  }

  return async (request: Request, bearer?: string): Promise<Keyed | Response> => {
    const secret = secretOf(request, bearer)
    if (secret === null) return problem(keyMissing(), request)
    const admitted = await admitIngest(context, secret, window)
    if (admitted === null) return refuseKey(request)
    const { reporter, admission } = admitted
    const meta = metaOf(request)
    const rate = () => rateHeaders(window, admission)
    const refuse = (failed: Failure) => {
      noteFailure(context, reporter, window.name, failed)
      return problem(failed, request, rate())
    }
    if (!admission.allowed) return refuse(rateLimited(admission.retryAfterSeconds))
    if (!meta.countFor(reporter.source.reference)) return problem(overloaded(), request, rate())
    const answer = (body: object, status = 200) =>
      new Response(bodyOf(JSON.stringify(body), request), { status, headers: ready(meta.id, admission) })
    return { reporter, refuse, answer }
  }
}

// So much takes some 15 milliseconds, and so do this many short requests.
const TOGETHER_BYTES = 400_000
const TOGETHER_MAX = 64
const SHORT = 1 / TOGETHER_MAX

/** Answers requests to one feed. Checks in the published order: key, rate, content type, size, JSON, envelope. */
export function feedHandler(feed: Feed, context: ReportContext, settings: IngestSettings) {
  const tickEnd = tickBarrier()
  const keyed = keyHolders(context, settings, { name: feed.name, limit: settings.requestsPerMinute })
  const bytesMax = settings.bodyBytesMax

  return async (request: Request, bearer?: string): Promise<Response> => {
    const meta = metaOf(request)
    const share = Math.min(1, Math.max(SHORT, meta.length / TOGETHER_BYTES))
    const isLong = share > SHORT
    if (!isLong) await tickEnd(share)
    const admitted = await keyed(request, bearer)
    if (admitted instanceof Response) return admitted
    // Only now: callers without a key hold up nobody who has one. Chunks are read at once, because the runtime receives more meanwhile.
    if (isLong && Number.isFinite(meta.length)) await tickEnd(share)
    // The runtime closes a connection that sends another request meanwhile: nobody would learn what became of this one.
    if (request.signal.aborted) return disconnected()
    const { reporter, refuse, answer } = admitted
    const unsupported = wrongContentType(request)
    if (unsupported !== undefined) return refuse(unsupported)
    const body = await readJson(request, bytesMax)
    // At once: the runtime goes on receiving a refused body until it is answered.
    if (isFailure(body)) return refuse(body)
    if (meta.bodyWaitedMs > 0) await tickEnd(share)
    const rows = feed.batch.read(body.value)
    if (isFailure(rows)) return refuse(rows)
    const dryRun = readDryRun(request)
    if (isFailure(dryRun)) return refuse(dryRun)

    const report = await feed.run(context, reporter, rows, dryRun)
    settings.onReport?.(feed.name, report)
    noteReport(context, reporter, feed.name, rows, report)
    return answer(report)
  }
}

/** Strict, because a misspelled dry_run must not write. */
function readDryRun(request: Request): { dryRun: boolean } | Failure {
  if (!request.url.includes("?")) return { dryRun: false }
  const values = new Set(new URL(request.url).searchParams.getAll("dry_run"))
  const [value = "false", ...more] = values
  if (more.length === 0 && (value === "true" || value === "false")) return { dryRun: value === "true" }
  return failure("invalid_request", 'The parameter dry_run must be "true" or "false".')
}
