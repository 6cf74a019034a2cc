export interface Probed {
  readonly slowest: number
  readonly probes: number
}

/** How long a stranger waits for /healthz meanwhile, at worst. */
export function startProbing(url: string): { stop(): Promise<Probed> } {
  const child = Bun.spawn([process.execPath, "torture/load/probe.ts", url], {
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
