import type { ConnectionsJob } from "./pour-connections.ts"

export interface Connected {
  readonly connections: number
  /** What came first on them, by status. */
  readonly statuses: Readonly<Record<string, number>>
}

/** Opens connections in a process of its own. */
export async function startConnections(job: ConnectionsJob): Promise<Connected> {
  const child = Bun.spawn([process.execPath, "torture/load/pour-connections.ts"], {
    stdin: new Blob([JSON.stringify(job)]),
    stdout: "pipe",
    stderr: "inherit",
  })
  return JSON.parse(await new Response(child.stdout).text()) as Connected
}
