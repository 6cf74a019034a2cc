import type { Job, Poured } from "./pour.ts"

/** Pours in a process of its own, so that measuring does not wait for the load. */
export async function startPouring(job: Job): Promise<Poured> {
  const child = Bun.spawn([process.execPath, "torture/load/pour.ts"], {
    stdin: new Blob([JSON.stringify(job)]),
    stdout: "pipe",
    stderr: "inherit",
  })
  const out = await new Response(child.stdout).text()
  if ((await child.exited) !== 0) throw new Error("the load ended early")
  return JSON.parse(out) as Poured
}
