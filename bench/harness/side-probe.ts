import { join } from "node:path"
import type { BenchRequest } from "../load/requests-file.ts"
import type { SideWaits } from "../load/side-probe.ts"
import { BENCH, BUN } from "./places.ts"
import type { Running } from "./process.ts"

/** Does something and tells how long others had to wait meanwhile, each asked from a process of its own. */
export async function withSideProbe<Result>(
  server: Running,
  asked: Readonly<Record<string, BenchRequest>>,
  work: () => Promise<Result>,
): Promise<{ readonly result: Result; readonly waits: SideWaits }> {
  const command = [BUN, join(BENCH, "load", "side-probe.ts"), server.url, JSON.stringify(asked)]
  const child = Bun.spawn(command, { stdin: "pipe", stdout: "pipe", stderr: "inherit" })
  const result = await work()
  await child.stdin.end()
  const printed = await new Response(child.stdout).text()
  if ((await child.exited) !== 0) throw new Error("the probe ended early")
  return { result, waits: JSON.parse(printed) }
}
