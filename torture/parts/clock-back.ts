import { join } from "node:path"
import { adbooth } from "../../test/binary.ts"
import { type Booth, furnish, serve } from "../harness/booth.ts"
import { movedClock } from "../harness/moved-clock.ts"
import { databaseProblems, isSkipped, type Part, scratch } from "../harness/part.ts"
import { makeOperator, OPERATOR_EMAIL, pageAfter, sendSignIn, signIn } from "../harness/visitor.ts"

const PASSWORD = "correct horse battery"
const PASSED_SECONDS_MAX = 20
const WRONG = 12
const WAIT_SECONDS_MAX = 900
const YEAR_MINUTES = 365 * 24 * 60
// The longest wait is over by then, and nothing is forgotten yet.
const BETWEEN_MINUTES = 15

export const clockBack: Part = {
  name: "clock-back",
  promise:
    "after the clock was a year ahead and is set right: nobody waits longer to sign in than before, and a total of that year is named and can be withdrawn",
  async run() {
    using folder = scratch()
    const clock = movedClock(folder.path)
    if (isSkipped(clock)) return clock
    const booth = await furnish(join(folder.path, "data"), { lines: 2 })
    await makeOperator(booth.data, PASSWORD)
    clock.jump(`+${YEAR_MINUTES}m`)
    await using server = await serve(booth.data, { env: clock.env })
    const problems: string[] = []
    const expect = (what: string, isSo: boolean) => {
      if (!isSo) problems.push(what)
    }
    const tried = async (password: string) => (await sendSignIn(server, OPERATOR_EMAIL, password)).status
    const waits = async () =>
      Number((await sendSignIn(server, OPERATOR_EMAIL, PASSWORD)).headers.get("retry-after") ?? 0)
    for (let i = 1; i <= WRONG; i++) {
      await tried("wrong")
      if (i < WRONG) clock.jump(`+${YEAR_MINUTES + i * BETWEEN_MINUTES}m`)
    }
    const ahead = await waits()
    expect("failures make nobody wait", ahead > 0)
    expect("a total was refused", (await report(server.url, booth, 100)) === "applied")
    clock.jump("+0h")
    const back = await waits()
    // It begins anew, and some of the first one had passed.
    const isBounded = back > 0 && back <= Math.min(ahead + PASSED_SECONDS_MAX, WAIT_SECONDS_MAX)
    expect(`the wait went from ${ahead} to ${back} s`, isBounded)
    clock.jump("+1h")
    expect("an hour later the right password was refused", (await tried(PASSWORD)) === 303)
    expect("a later total replaced one of the future", (await report(server.url, booth, 200)) === "older_than_current")
    const cookie = await signIn(server, PASSWORD)
    const today = await fetch(`${server.url}/app/o/acme-audio`, { headers: { Cookie: cookie } })
    const page = await today.text()
    expect("Today says nothing of it", page.includes("was measured in the future"))
    const { code, out } = await adbooth(["doctor", "--data", booth.data], { env: clock.env })
    expect("doctor does not say where it is withdrawn", code === 1 && out.includes("Withdraw it in the app"))
    const link = /href="([^"]+\/withdraw)"/.exec(page)?.[1] ?? ""
    expect("Today does not lead to its withdrawal", link !== "")
    await pageAfter(server, cookie, link, { reason: "the clock was ahead" })
    expect("the next total does not count", (await report(server.url, booth, 300)) === "applied")
    if ((await server.end("SIGTERM")) !== 0) problems.push("it did not stop cleanly")
    problems.push(...databaseProblems(booth.data))
    return {
      done: `${WRONG} wrong sign-ins and a total while the clock was a year ahead; then it was set right`,
      figures: `the wait was ${ahead} s before and ${back} s after; the total of the future was named on Today and by doctor, withdrawn where Today leads, and the next one counted`,
      problems,
    }
  },
}

/** The effect of a report without a time of its own. */
async function report(url: string, { ingestKey, packageIds }: Booth, impressions: number): Promise<unknown> {
  const response = await fetch(`${url}/api/ingest/delivery/metrics`, {
    method: "POST",
    headers: { Authorization: `Bearer ${ingestKey}`, "Content-Type": "application/json" },
    body: JSON.stringify({ items: [{ package_id: packageIds[0], impressions }] }),
  })
  const answer = (await response.json()) as { results?: { effect?: string }[] }
  return answer.results?.[0]?.effect ?? response.status
}
