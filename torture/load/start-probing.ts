export interface Probed {
  readonly slowest: number
  /** What the server's thread worked between a probe and its answer, at most, in milliseconds: where its process is named, on Linux. */
  readonly busiest: number
  readonly probes: number
  readonly failed: number
}

/** How long a stranger waits for /healthz meanwhile, at worst. */
export function startProbing(url: string, pid?: number): { stop(): Promise<Probed> } {
  const named = pid === undefined || process.platform !== "linux" ? [] : [String(pid)]
  const child = Bun.spawn([process.execPath, "torture/load/probe.ts", url, ...named], {
    stdin: "pipe",
    stdout: "pipe",
    stderr: "inherit",
  })
  return {
    async stop() {
      await child.stdin.end()
      return JSON.parse(await new Response(child.stdout).text()) as Probed
    },
  }
}
