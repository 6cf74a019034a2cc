import { describe, expect, test } from "bun:test"
import { createIngestKey } from "../../../src/actions/keys/keys.ts"
import type { TestApp } from "../../harness.ts"
import { DOWNLOADS_LINE, FLAT_LINE, FUTURE_LINE, givenPerson, LINE, OTHER_SELLERS_LINE, startMarket } from "./given.ts"
import { reportAnyway } from "./report-anyway.ts"
import { signedIn } from "./visitor.ts"

interface Sent {
  readonly impressions?: string
  readonly downloads?: string
  readonly as_of?: string
}

type Case = readonly [promise: string, packageId: string, sent: Sent, outcome: string]

// What is sent is written once, as somebody would type it. The API gets numbers as numbers.
const CASES: readonly Case[] = [
  ["a first total", LINE, { impressions: "1000" }, "applied"],
  ["a total of a day", LINE, { impressions: "1000", as_of: "2026-11-14" }, "applied"],
  ["a total of a moment", LINE, { impressions: "1000", as_of: "2026-11-14T10:00:00+01:00" }, "applied"],
  ["the same total again", LINE, { impressions: "500", as_of: "2026-11-13" }, "unchanged"],
  ["an older total", LINE, { impressions: "10", as_of: "2026-11-12" }, "older_than_current"],
  ["a smaller total that is newer", LINE, { impressions: "10", as_of: "2026-11-14" }, "applied"],
  ["zero", LINE, { impressions: "0" }, "applied"],
  ["downloads with a fraction", DOWNLOADS_LINE, { downloads: "12.5" }, "applied"],
  ["a flat-rate line", FLAT_LINE, {}, "applied"],
  ["a flat-rate line of a day", FLAT_LINE, { as_of: "2026-11-14" }, "applied"],
  ["a fraction of an impression", LINE, { impressions: "1.5" }, "invalid_item"],
  ["a negative number", LINE, { impressions: "-1" }, "invalid_item"],
  ["a number with separators in odd places", LINE, { impressions: "1,00,000" }, "invalid_item"],
  ["words", LINE, { impressions: "many" }, "invalid_item"],
  ["more than a number holds exactly", LINE, { impressions: "9007199254740993" }, "invalid_item"],
  ["a day that does not exist", LINE, { impressions: "1", as_of: "2026-02-30" }, "invalid_item"],
  ["a time before the flight", LINE, { impressions: "1", as_of: "2026-10-31" }, "before_flight_start"],
  ["a flight that has not started", FUTURE_LINE, { impressions: "1" }, "before_flight_start"],
  ["tomorrow", LINE, { impressions: "1", as_of: "2026-11-16" }, "as_of_in_future"],
  ["a moment from now", LINE, { impressions: "1", as_of: "2026-11-15T12:00:01Z" }, "as_of_in_future"],
  ["a line of another seller", OTHER_SELLERS_LINE, { impressions: "1" }, "not_seller"],
  ["a line that does not exist", "0b8f5a0e-6d1c-4b43-9a55-0d6f6f2f9aff", { impressions: "1" }, "not_seller"],
]

// The form has one field, for the figure that the line takes.
const NOT_IN_THE_FORM: readonly Case[] = [
  ["both quantities", LINE, { impressions: "1", downloads: "1" }, "invalid_item"],
  ["no figure", LINE, {}, "quantity_required"],
  ["the wrong figure", LINE, { downloads: "1" }, "quantity_required"],
  ["a figure for a flat-rate line", FLAT_LINE, { impressions: "1" }, "flat_rate_takes_no_quantity"],
]

const REASON_AT: Readonly<Record<string, RegExp>> = {
  invalid_item: /-error">[^<]+ (?:is not a|has a|has separators|is more than)|id="as_of-error">[^<]+ is not a day/,
  before_flight_start: /-error">The flight starts on/,
  as_of_in_future: /id="as_of-error">This is in the future/,
}

const EFFECT_SAID: Readonly<Record<string, string | RegExp>> = {
  older_than_current: "Kept in the history; a newer total counts.",
  applied: /1 total reported|1 line marked as delivered/,
  unchanged: "These totals were already reported.",
}

/** What stands afterwards, whoever reported it: current totals and the history with times, but without the source. */
async function figuresOf(app: TestApp, packageId: string): Promise<unknown> {
  const organization = await app.store.organizations.findBySlug("acme-audio")
  const campaign = await app.store.campaigns.find(organization?.id ?? 0, "autumn", { offset: 0, limit: 100 })
  const line = campaign?.lines.find((one) => one.packageId === packageId)
  if (line === undefined) return null
  const { entries } = await app.store.deliveryHistory.page(line.lineId, "seller", null, 100)
  return {
    total: line.total,
    history: entries.map(({ quantity, asOf, receivedAt }) => ({ quantity, asOf, receivedAt })),
  }
}

async function byApi(app: TestApp, packageId: string, { impressions, downloads, as_of }: Sent): Promise<string> {
  const organization = await app.store.organizations.findBySlug("acme-audio")
  const { secret } = await createIngestKey(app, { id: organization?.id ?? 0 }, "Feed", "test")
  const number = (text: string) => (/^-?\d+(\.\d+)?(e\d+)?$/.test(text) ? text : JSON.stringify(text))
  const fields = [
    `"package_id":"${packageId}"`,
    ...(impressions === undefined ? [] : [`"impressions":${number(impressions)}`]),
    ...(downloads === undefined ? [] : [`"downloads":${number(downloads)}`]),
    ...(as_of === undefined ? [] : [`"as_of":"${as_of}"`]),
  ]
  const answer = await app.fetch("/api/ingest/delivery/metrics", {
    method: "POST",
    headers: { authorization: `Bearer ${secret}`, "content-type": "application/json" },
    body: `{"items":[{${fields.join(",")}}]}`,
  })
  const { results } = (await answer.json()) as { results: { effect?: string; reason?: string }[] }
  return results[0]?.effect ?? results[0]?.reason ?? "nothing"
}

async function byForm(app: TestApp, packageId: string, sent: Sent): Promise<string> {
  const person = await signedIn(app, await givenPerson(app, { of: "acme-audio" }))
  const line = `/app/o/acme-audio/campaigns/autumn/lines/${packageId}`
  const answer = await reportAnyway(person, line, { ...sent })
  if (answer.status === 404) return "not_seller"
  const page = answer.status === 303 ? await person.read(answer.headers.get("location") ?? "") : await answer.text()
  const html = page.replace(/<svg class="icon".*?<\/svg>|<span class="vh">Error: <\/span>|<\/?span[^>]*>/g, "")
  const words = answer.status === 303 ? EFFECT_SAID : REASON_AT
  const found = Object.entries(words).find(([, said]) =>
    typeof said === "string" ? html.includes(said) : said.test(html),
  )
  return found?.[0] ?? `status ${answer.status} without a word`
}

describe.each(CASES)("%s", (_, packageId, sent, outcome) => {
  async function through(door: typeof byApi): Promise<[string, unknown]> {
    await using app = await startMarket()
    app.clock.set("2026-11-14T08:00:00Z")
    if (outcome === "unchanged" || outcome === "older_than_current" || sent.impressions === "10") {
      await byApi(app, packageId, { impressions: "500", as_of: "2026-11-13" })
    }
    app.clock.set("2026-11-15T12:00:00Z")
    return [await door(app, packageId, sent), await figuresOf(app, packageId)]
  }

  test("gives the same reason, total and history by API and by form", async () => {
    const [apiOutcome, apiStanding] = await through(byApi)
    const [formOutcome, formStanding] = await through(byForm)
    expect(apiOutcome).toBe(outcome)
    expect(formOutcome).toBe(outcome)
    expect(formStanding).toEqual(apiStanding)
  })
})

test.each(NOT_IN_THE_FORM)("the API refuses %s", async (_, packageId, sent, outcome) => {
  await using app = await startMarket()
  expect(await byApi(app, packageId, sent)).toBe(outcome)
})
