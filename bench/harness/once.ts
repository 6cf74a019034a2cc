import { join } from "node:path"
import { drive } from "../load/drive.ts"
import type { JobResult } from "../load/job.ts"
import { writeRequests } from "../load/requests-file.ts"
import { temporaryFolder } from "./places.ts"
import type { Running } from "./process.ts"
import type { Load } from "./server-contender.ts"

/** Drives a server once with a load, for so long or for so many requests. */
export async function driveOnce(
  server: Running,
  load: Load,
  pass: number,
  amount: { seconds: number; requests?: number },
): Promise<JobResult> {
  using folder = temporaryFolder()
  const requestsFile = join(folder.path, "requests")
  await writeRequests(requestsFile, load.requests(pass))
  return await drive({ url: server.url, requestsFile, connections: load.connections, ...amount })
}
