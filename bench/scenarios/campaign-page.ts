import { below } from "../harness/goals.ts"
import type { Options } from "../harness/options.ts"
import type { Running } from "../harness/process.ts"
import { newInstallation } from "../harness/product.ts"
import type { Outcome, Scenario } from "../harness/scenario.ts"
import { makeAdministrator } from "../harness/sign-in.ts"
import { spreadOf } from "../harness/statistics.ts"
import { CAMPAIGN_PAGE, largeCampaign } from "../workload/large-campaign.ts"
import { seedHistory } from "../workload/seed.ts"

const REPORTS_PER_LINE = 1_000
const PAGES_PER_ROUND = 20
const MS_MAX = 100

export const campaignPage: Scenario = {
  name: "campaign-page",
  title: "App: a campaign page with 100 lines and 100,000 reports",
  run,
}

async function run(options: Options): Promise<Outcome> {
  using installation = newInstallation()
  await installation.importAll(largeCampaign())
  seedHistory(installation.data, REPORTS_PER_LINE)
  const signIn = await makeAdministrator(installation)
  await using server = await installation.serve()
  const cookie = await signIn(server)
  await timeOnce(server, cookie)
  const rounds: number[] = []
  for (let round = 0; round < options.rounds; round += 1) rounds.push(await averageMs(server, cookie))
  const spread = spreadOf(rounds)
  return {
    unit: "ms a page",
    ratios: false,
    figures: [{ contender: "Adbooth", spread }],
    goals: [below(MS_MAX, "ms", spread.median, "a page")],
    notes: ["Measured at the client on loopback, one page after the other: server time and a little more."],
  }
}

async function averageMs(server: Running, cookie: string): Promise<number> {
  let total = 0
  for (let i = 0; i < PAGES_PER_ROUND; i += 1) total += await timeOnce(server, cookie)
  return total / PAGES_PER_ROUND
}

async function timeOnce(server: Running, cookie: string): Promise<number> {
  const started = performance.now()
  const answer = await fetch(`${server.url}${CAMPAIGN_PAGE}`, { headers: { cookie }, redirect: "manual" })
  const text = await answer.text()
  const ms = performance.now() - started
  if (answer.status !== 200 || !text.includes("Line 100")) throw new Error(`no campaign page: ${answer.status}`)
  return ms
}
