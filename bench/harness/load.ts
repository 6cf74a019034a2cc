import { join } from "node:path"

export interface LoadRequest {
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  /** Each `MARK` in it becomes the number of the request. */
  readonly body: string
}

export interface Load {
  readonly connections: number
  /** The requests to send in turn. Each round is another pass, so that its requests are new. */
  readonly requests: (pass: number) => readonly LoadRequest[]
}

export interface LoadJob {
  readonly url: string
  readonly connections: number
  readonly seconds: number
  readonly requests: readonly LoadRequest[]
}

export interface LoadResult {
  readonly answered: number
  readonly seconds: number
  readonly failures: number
}

/** Puts load on a server from a process of its own. Throws if any request fails, because failing is cheap. */
export async function sendLoad(job: LoadJob): Promise<LoadResult> {
  const child = Bun.spawn([process.execPath, join(import.meta.dir, "generator.ts")], {
    stdin: new Blob([JSON.stringify(job)]),
    stdout: "pipe",
    stderr: "inherit",
  })
  const result = JSON.parse(await new Response(child.stdout).text()) as LoadResult
  if (result.failures > 0) throw new Error(`${result.failures} of ${result.answered} requests to ${job.url} failed.`)
  return result
}

/** Sends one request, and returns what was answered. */
export async function sendOnce(url: string, request: LoadRequest | undefined): Promise<unknown> {
  if (request === undefined) throw new Error("There is nothing to send.")
  const body = request.body.replaceAll("#NUMBER#", "000000")
  const response = await fetch(url + request.path, { method: "POST", headers: request.headers, body })
  const text = await response.text()
  if (!response.ok) throw new Error(`${request.path} answered ${response.status}: ${text.slice(0, 300)}`)
  return JSON.parse(text)
}
