import { existsSync } from "node:fs"
import { join } from "node:path"
import { type Server, serve } from "../../harness/booth.ts"
import { databaseProblems } from "../../harness/part.ts"
import { areOutdatedIn, outdatedDaysProblems } from "../../harness/upkeep.ts"

/**
 * Starts the executable on what a cut has left, asks it, lets it work out what is outdated, ends it, and looks at the database. It has to
 * start and be ready, whatever was cut.
 */
export async function inspect(
  left: string,
  ask: (server: Server) => Promise<string[]> = async () => [],
): Promise<string[]> {
  const data = join(left, "data")
  const problems: string[] = []
  try {
    await using server = await serve(data)
    const { status } = await fetch(`${server.url}/readyz`)
    if (status !== 200) problems.push(`/readyz answers ${status}`)
    problems.push(...(await ask(server)))
    if (!existsSync(join(data, "adbooth.db"))) return [...problems, "there is no database"]
    problems.push(...(await outdatedDaysProblems(areOutdatedIn(data))))
  } catch (cause) {
    return [`it does not start or answer: ${cause instanceof Error ? cause.message.slice(0, 600) : cause}`]
  }
  return [...problems, ...databaseProblems(data)]
}
