import { join } from "node:path"
import { BENCH, BUN } from "../harness/places.ts"
import { runProgram } from "../harness/process.ts"
import type { Job, JobResult } from "./job.ts"

/** Puts load on a server, from a process of its own. */
export async function drive(job: Job): Promise<JobResult> {
  const input = JSON.stringify(job)
  const result: JobResult = JSON.parse(await runProgram([BUN, join(BENCH, "load", "generator.ts")], { input }))
  if (result.failures > 0) throw new Error(`${job.url}: ${result.failures} of ${result.requests} requests failed`)
  return result
}
