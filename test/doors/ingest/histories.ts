import { expect } from "bun:test"
import fc from "fast-check"
import { editLine } from "../../../src/actions/campaigns/lines.ts"
import { withdrawReport } from "../../../src/actions/delivery/withdraw-report.ts"
import { revokeIngestKey } from "../../../src/actions/keys/keys.ts"
import type { DeliveryReport } from "../../../src/domain/delivery/delivery-result.ts"
import { formatMoment } from "../../../src/domain/time/moment.ts"
import { dayOf } from "../../../src/domain/time/time-zone.ts"
import { type GivenOrganization, givenIngestKey, givenOrganization, givenPackageLine } from "../../given.ts"
import type { TestApp } from "../../harness.ts"
import { DELIVERY, historyOf, post } from "./feed.ts"
import { expected, type ModelItem, type ModelLine, nameOf, permutations, withdrawn } from "./model.ts"

// Random histories, sent to one or more servers on the same database. Some order of what was sent together, done to one plain model,
// has to explain every answer and everything that is stored.

const ZONES = ["UTC", "Pacific/Auckland", "America/St_Johns"] as const
const MINUTE = 60_000_000
const DAY = 1_440 * MINUTE

// An item names its line and its as_of relative to the clock; what that means is settled when it is sent.
const asOf = fc.oneof(
  fc.constant(null),
  fc.record({ days: fc.integer({ min: -3, max: 1 }) }),
  fc.record({ minutes: fc.integer({ min: -4_000, max: 1 }), offset: fc.constantFrom("Z", "+09:30", "-03:30") }),
)
const item = fc.record({
  line: fc.nat(1),
  quantity: fc.integer({ min: 0, max: 3 }),
  wrongUnit: fc.integer({ min: 0, max: 9 }).map((n) => n === 0),
  asOf,
})
const reporting = fc.record({ items: fc.uniqueArray(item, { minLength: 1, selector: (one) => one.line }) })
const editing = fc.record({ line: fc.nat(1), startsInDays: fc.constantFrom(-2, 0, 1) })
// Which of the reports that are there at that time.
const withdrawing = fc.record({ line: fc.nat(1), report: fc.nat(9) })
const revoking = fc.constant("revoke" as const)
const request = fc.record({
  server: fc.nat(2),
  seller: fc.nat(ZONES.length - 1),
  what: fc.oneof(
    { weight: 8, arbitrary: reporting },
    { weight: 2, arbitrary: editing },
    { weight: 3, arbitrary: withdrawing },
    { weight: 1, arbitrary: revoking },
  ),
})
// Requests of a group are sent together; then the clock moves on.
const group = fc.record({
  requests: fc.array(request, { minLength: 1, maxLength: 4 }),
  waitMinutes: fc.constantFrom(0, 1, 45, 700, 1_600),
})

type Value<Arbitrary> = Arbitrary extends fc.Arbitrary<infer One> ? One : never
type Request = Value<typeof request>

interface Seller {
  readonly organization: GivenOrganization
  readonly key: string
}

type Line = ModelLine & { readonly packageId: string }
/** One step of the model: the lines after it, or null when it would have been answered in another way. */
type Step = (lines: readonly Line[]) => readonly Line[] | null

/** Sends random histories to all of the servers, and compares each with the model. */
export async function checkHistories(servers: readonly TestApp[], numRuns: number): Promise<void> {
  const first = need(servers[0])
  const property = fc.asyncProperty(fc.array(group, { minLength: 1, maxLength: 8 }), async (groups) => {
    const sellers = await Promise.all(ZONES.map((zone) => givenSeller(first, zone)))
    let possible: (readonly Line[])[] = [sellers.flatMap(({ lines }) => lines)]
    for (const { requests, waitMinutes } of groups) {
      const sent = requests.map((one) => {
        const server = need(servers[one.server % servers.length])
        return perform(server, need(sellers[one.seller]), need(possible[0]), one)
      })
      possible = explain(possible, await Promise.all(sent))
      await replaceRevokedKeys(servers, sellers, requests)
      first.clock.advance({ minutes: waitMinutes })
    }
    for (const server of servers) {
      const lines = need(possible[0]).map((line, i) => stored(server, need(sellers[Math.floor(i / 2)]), line))
      expect(possible.map(textOf)).toContain(textOf(await Promise.all(lines)))
    }
  })
  await fc.assert(property, { numRuns })
}

async function givenSeller(app: TestApp, zone: string): Promise<Seller & { readonly lines: readonly Line[] }> {
  const organization = await givenOrganization(app, { timeZone: zone })
  const flightStart = dayOf(app.clock() - 2 * DAY, zone)
  const lines: Line[] = []
  for (const basis of ["impressions", "downloads"] as const) {
    const { packageId } = await givenPackageLine(app, { seller: organization, pricingBasis: basis, flightStart })
    lines.push({ packageId, zone, basis, flightStart, current: null, history: new Set(), withdrawn: [] })
  }
  return { organization, key: await givenIngestKey(app, organization), lines }
}

/** Does what is asked for on a server. What comes back is what the model has to do in its place. */
async function perform(app: TestApp, seller: Seller, lines: readonly Line[], request: Request): Promise<Step> {
  const { what, seller: place } = request
  if (what === "revoke") {
    await revokeIngestKey(app, seller.key.slice(0, 12), seller.organization.id, "test")
    return (before) => before
  }
  if ("items" in what) {
    const items = what.items.map((one) => settle(app.clock(), lines, place * 2 + one.line, one))
    return await reported(app, seller, items)
  }
  const index = place * 2 + what.line
  const { packageId, basis, zone } = need(lines[index])
  if ("report" in what) {
    const entries = (await historyOf(app, seller.organization, packageId)).filter((entry) => entry.withdrawn === null)
    const report = entries[what.report % Math.max(entries.length, 1)]
    if (report === undefined) return (before) => before
    const by = { userId: null, isAdmin: true, actor: "command", reason: "Wrong" }
    const answer = await withdrawReport(app, seller.organization, packageId, report, by)
    return (before) => {
      const [outcome, changed] = withdrawn(need(before[index]), report)
      const isSo = outcome === answer.outcome && (answer.outcome !== "done" || sameTotal(answer.total, changed.current))
      return isSo ? before.with(index, { ...need(before[index]), ...changed }) : null
    }
  }
  const flightStart = dayOf(app.clock() + what.startsInDays * DAY, zone)
  const empty = { flightEnd: "", booked: "", rate: "", currency: "", externalId: "" }
  const typed = { ...empty, name: "Edited", pricingBasis: basis, flightStart }
  expect(await editLine(app, seller.organization, packageId, typed, { actor: "test" })).toEqual({ outcome: "done" })
  return (before) => before.with(index, { ...need(before[index]), flightStart })
}

const sameTotal = (one: Line["current"], other: Line["current"]) =>
  one?.asOf === other?.asOf && one?.quantity === other?.quantity

async function reported(app: TestApp, { key }: Seller, items: readonly Sent[]): Promise<Step> {
  const response = await post(app, DELIVERY, key, { items: items.map(({ body }) => body) })
  // Its key was revoked at the same time: nothing of it may be stored.
  if (response.status === 401) return (before) => before
  expect(response.status).toBe(200)
  const { results } = (await response.json()) as DeliveryReport
  const now = app.clock()
  return (before) => {
    let after = before
    for (const [i, { line, item: sent }] of items.entries()) {
      const [outcome, changed] = expected(need(after[line]), sent, now)
      if (outcome !== (results[i]?.effect ?? results[i]?.reason)) return null
      after = after.with(line, { ...need(after[line]), ...changed })
    }
    return after
  }
}

/** A revoked key is refused by every server; its seller goes on with a new one. */
async function replaceRevokedKeys(servers: readonly TestApp[], sellers: Seller[], requests: readonly Request[]) {
  for (const place of new Set(requests.filter(({ what }) => what === "revoke").map(({ seller }) => seller))) {
    const { organization, key } = need(sellers[place])
    const answers = await Promise.all(servers.map((server) => post(server, DELIVERY, key, { items: [] })))
    // Wrong keys are limited too.
    for (const { status } of answers) expect([401, 429]).toContain(status)
    sellers[place] = { organization, key: await givenIngestKey(need(servers[0]), organization) }
  }
}

interface Sent {
  readonly line: number
  readonly body: object
  readonly item: ModelItem
}

function settle(now: number, lines: readonly Line[], index: number, wish: Value<typeof item>): Sent {
  const line = need(lines[index])
  const unit = wish.wrongUnit === (line.basis === "impressions") ? "downloads" : "impressions"
  const base = { line: index, body: { package_id: line.packageId, [unit]: wish.quantity } }
  const measured = { unit, quantity: wish.quantity } as const
  if (wish.asOf === null) return { ...base, item: { ...measured, asOf: null } }
  if ("days" in wish.asOf) {
    const date = dayOf(now + wish.asOf.days * DAY, line.zone)
    return { ...base, body: { ...base.body, as_of: date }, item: { ...measured, asOf: { date } } }
  }
  const micros = now + wish.asOf.minutes * MINUTE
  const text = withOffset(micros, wish.asOf.offset)
  return { ...base, body: { ...base.body, as_of: text }, item: { ...measured, asOf: { micros } } }
}

function withOffset(micros: number, offset: string): string {
  const minutes =
    offset === "Z" ? 0 : (offset.startsWith("-") ? -1 : 1) * (Number(offset.slice(1, 3)) * 60 + Number(offset.slice(4)))
  return formatMoment(micros + minutes * MINUTE).replace("Z", offset)
}

/**
 * What may be stored after some order of the steps that gives exactly the answers that came; there must be one. There may be more: of
 * two totals of the same moment, or two edits, the later one stands, and the answers do not always tell which that was.
 */
function explain(before: readonly (readonly Line[])[], steps: readonly Step[]): (readonly Line[])[] {
  const possible = new Map<string, readonly Line[]>()
  for (const lines of before) {
    for (const order of permutations(steps)) {
      const after = order.reduce<readonly Line[] | null>((so, step) => so && step(so), lines)
      if (after !== null) possible.set(inOrder(after), after)
    }
  }
  if (possible.size === 0) throw new Error("no order of the requests explains the answers")
  return [...possible.values()]
}

/** With the order in which reports arrived: it decides what stands when the latest of a moment is withdrawn. */
const inOrder = (lines: readonly Line[]) => textOf(lines) + JSON.stringify(lines.map(({ history }) => [...history]))

type Stored = Pick<Line, "packageId" | "flightStart" | "current" | "withdrawn"> & { readonly history: Iterable<string> }

/** A line as a server tells it. Its history is a list, not a set: a report that is stored twice would be seen. */
async function stored(app: TestApp, { organization }: Seller, { packageId }: Line): Promise<Stored> {
  const entries = await historyOf(app, organization, packageId)
  const history = entries.filter((entry) => entry.withdrawn === null).map(nameOf)
  const gone = entries.filter((entry) => entry.withdrawn !== null).map(nameOf)
  const { flightStart, total } = need((await app.store.packageLines.findSold(organization.id, [packageId]))[0])
  return { packageId, flightStart, current: total, history, withdrawn: gone }
}

function textOf(lines: readonly Stored[]): string {
  const plain = lines.map(({ packageId, flightStart, current, history, withdrawn: gone }) => [
    packageId,
    flightStart,
    current?.asOf,
    current?.quantity,
    ...[...history].sort(),
    "withdrawn",
    ...[...gone].sort(),
  ])
  return JSON.stringify(plain)
}

function need<Found>(value: Found | undefined): Found {
  if (value === undefined) throw new Error("there is none")
  return value
}
