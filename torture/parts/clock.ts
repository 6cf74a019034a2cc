import { join } from "node:path"
import { type Booth, furnish, serve } from "../harness/booth.ts"
import { movedClock } from "../harness/moved-clock.ts"
import { databaseProblems, isSkipped, type Part, scratch } from "../harness/part.ts"
import { makeOperator, signIn } from "../harness/visitor.ts"

const PASSWORD = "correct horse battery"
const LIMIT = 20

export const clock: Part = {
  name: "clock",
  promise:
    "when the clock jumps by hours: limits lock nobody out, as_of is judged by the clock, sessions end in its time",
  async run() {
    using folder = scratch()
    const clock = movedClock(folder.path)
    if (isSkipped(clock)) return clock
    const { jump, env } = clock
    const booth = await furnish(join(folder.path, "data"), { lines: 20 })
    await makeOperator(booth.data, PASSWORD)
    await using server = await serve(booth.data, { args: ["--limit-ingest", String(LIMIT)], env })
    const problems: string[] = []
    const expect = (what: string, got: unknown, wanted: unknown) => {
      if (got !== wanted) problems.push(`${what}: ${got} instead of ${wanted}`)
    }
    const cookie = await signIn(server, PASSWORD)
    const pageStatus = async () =>
      (await fetch(`${server.url}/app/operator/system`, { headers: { Cookie: cookie }, redirect: "manual" })).status
    const reported = (place: number, as_of?: string) => report(server.url, booth, place, as_of)

    expect("now", await reported(0), "applied")
    jump("-3h")
    expect("without as_of, three hours back", await reported(0), "older_than_current")
    expect("measured now, three hours back", await reported(1, new Date().toISOString()), "as_of_in_future")
    jump("+5h")
    expect("without as_of, five hours on", await reported(0), "applied")
    expect("measured in four hours, five hours on", await reported(2, hoursFromNow(4)), "applied")
    for (let i = 0; i < LIMIT; i++) await reported(3)
    expect("over the limit", await reported(3), 429)
    jump("+8h")
    expect("over the limit, three hours later", await reported(4), "applied")
    expect("signed in, hours later", await pageStatus(), 200)
    jump("+400h")
    expect("signed in, weeks later", await pageStatus(), 303)
    jump("+0h")
    expect("after all that", await reported(5), "applied")
    if ((await server.end("SIGTERM")) !== 0) problems.push("it did not stop cleanly")
    problems.push(...databaseProblems(booth.data))
    return {
      done: "the clock of a running server set 3 h back, then 5, 8 and 400 h on, then right again",
      figures: `${10 - problems.length} of 10 answers as documented`,
      problems,
    }
  },
}

function hoursFromNow(hours: number): string {
  return new Date(Date.now() + hours * 3_600_000).toISOString()
}

/** Reports one item; the effect, the reason, or the status when it was no report. */
async function report(url: string, { ingestKey, packageIds }: Booth, place: number, as_of?: string): Promise<unknown> {
  const response = await fetch(`${url}/api/ingest/delivery/metrics`, {
    method: "POST",
    headers: { Authorization: `Bearer ${ingestKey}`, "Content-Type": "application/json" },
    body: JSON.stringify({
      items: [{ package_id: packageIds[place], impressions: 1 + Math.floor(performance.now() * 1_000), as_of }],
    }),
  })
  const answer = (await response.json()) as { results?: { effect?: string; reason?: string }[] }
  const result = answer.results?.[0]
  return result?.effect ?? result?.reason ?? response.status
}
