import { join } from "node:path"
import { BENCH, BUN } from "../harness/places.ts"
import { runProgram } from "../harness/process.ts"
import type { Job, JobResult } from "./job.ts"

const wrk = Bun.which("wrk")

/** Puts load on a server, with wrk where it is installed and it can do the job, otherwise with our own generator. */
export async function drive(job: Job): Promise<JobResult> {
  const result = wrk !== null && wrkCan(job) ? await driveWithWrk(wrk, job) : await driveWithOurs(job)
  if (result.failures > 0) throw new Error(`${job.url}: ${result.failures} of ${result.requests} requests failed`)
  return result
}

export async function loadGeneratorName(): Promise<string> {
  if (wrk === null) return "our own (bench/load/generator.ts)"
  const help = Bun.spawnSync([wrk, "--version"]).stdout.toString()
  return /^wrk \S+/.exec(help)?.[0] ?? "wrk"
}

/** wrk counts whole seconds and cannot stop after a number of requests. */
function wrkCan(job: Job): boolean {
  return job.requests === undefined && Number.isInteger(job.seconds)
}

async function driveWithOurs(job: Job): Promise<JobResult> {
  return JSON.parse(await runProgram([BUN, join(BENCH, "load", "generator.ts")], { input: JSON.stringify(job) }))
}

async function driveWithWrk(program: string, job: Job): Promise<JobResult> {
  const script = join(BENCH, "load", "wrk.lua")
  const shape = ["-t1", `-c${job.connections}`, `-d${job.seconds}s`, "--timeout", "30s", "-s", script]
  const printed = await runProgram([program, ...shape, job.url, "--", job.requestsFile])
  const result = /^RESULT (.*)$/m.exec(printed)?.[1]
  if (result === undefined) throw new Error(`wrk gave no result:\n${printed}`)
  return JSON.parse(result)
}
