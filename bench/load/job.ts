import { percentile } from "../harness/statistics.ts"

/** In a request's bytes, stands for a number that is new in every request sent: six digits, zeros in front. */
export const COUNTER_MARK = "@@@@@@"

/** What a load generator is asked to do. The requests are sent in turn, each connection waiting for its answer. */
export interface Job {
  readonly url: string
  readonly requestsFile: string
  readonly connections: number
  readonly seconds: number
  /** Stop after this many requests, however long it takes; only our own generator can. */
  readonly requests?: number
}

export interface JobResult {
  readonly requests: number
  /** Answers that were not a success, and broken connections. */
  readonly failures: number
  readonly seconds: number
  readonly p50Ms: number
  readonly p99Ms: number
}

export function latencies(milliseconds: Float64Array): Pick<JobResult, "p50Ms" | "p99Ms"> {
  const sorted = milliseconds.toSorted()
  return { p50Ms: percentile(sorted, 0.5), p99Ms: percentile(sorted, 0.99) }
}
