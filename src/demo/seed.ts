import { importCatalogue } from "../actions/catalogue/import-catalogue.ts"
import type { ReportContext } from "../actions/context.ts"
import type { Reporter } from "../actions/delivery/report-delivery.ts"
import { admitAgent, admitIngest } from "../actions/keys/admit.ts"
import { createIngestKey } from "../actions/keys/keys.ts"
import { nameContact } from "../actions/operations/agent-settings.ts"
import { flushWriteBuffer, logAgentCall } from "../actions/operations/call-log.ts"
import { hashPassword } from "../actions/people/hash-password.ts"
import { changeLogo } from "../actions/people/organizations.ts"
import { createUser } from "../actions/people/users.ts"
import { fingerprintOf } from "../domain/keys/api-key.ts"
import type { Organization } from "../domain/people/organization.ts"
import type { Moment } from "../domain/time/moment.ts"
import type { DemoBrief, DemoCall, Person } from "./data.ts"
import { BUYING_AGENT, briefs, calls, catalogue, logo, NEWS, PODCASTS, people } from "./data.ts"
import { type Days, daysAround } from "./days.ts"
import { type At, recordAffiliates, reportExceptions, reportHistory, reportHourly } from "./reports.ts"
import { fillSales } from "./sales.ts"

export interface DemoSecrets {
  readonly ingestKey: string
  readonly agentKey: string
  readonly accounts: readonly (Person & { readonly password: string })[]
}

type IngestKey = Awaited<ReturnType<typeof createIngestKey>>

const OPENED = -125
const ACTOR = "command"
// Uses of keys before anybody has come: they take nothing from the windows of those who come.
const BEFOREHAND = { name: "beforehand", limit: 1 }

/** Fills an empty store with two sellers, a buyer and their last months, through the usual actions. */
export async function seedDemo(context: ReportContext): Promise<DemoSecrets> {
  const days = daysAround(context.clock())
  const at = (moment: Moment): ReportContext => ({ ...context, clock: () => moment })
  const atStart = at(days.moment(OPENED, 9))
  const outcome = await importCatalogue(atStart, catalogue(days), ACTOR)
  if (!outcome.ok) throw new Error(`the demo's catalogue is not right: ${JSON.stringify(outcome.problems)}`)
  const accounts = await createAccounts(atStart)
  const operator = accounts.find(({ organization }) => organization === undefined)
  if (operator !== undefined) await nameContact(atStart, operator.email, ACTOR)
  await changeLogo(atStart, await find(atStart, PODCASTS), logo(), ACTOR)
  const ingestKey = await fillSeller(at, PODCASTS, "Podcast host, nightly export", days)
  await fillSeller(at, NEWS, "Ad server", days)
  const buyer = outcome.imported.agentKeys.find(({ label }) => label === BUYING_AGENT)
  await fillSales(at, await find(atStart, PODCASTS), buyer?.id ?? "", days)
  const lastCall = logCalls(context, buyer?.id ?? "", days)
  const agentKey = outcome.secrets.get(BUYING_AGENT) ?? ""
  await admitAgent(at(lastCall), fingerprintOf(agentKey), BEFOREHAND)
  await flushWriteBuffer(context)
  return { ingestKey, agentKey, accounts }
}

async function createAccounts(context: ReportContext): Promise<DemoSecrets["accounts"]> {
  const passwords = people.map(() => context.random(12).toBase64({ alphabet: "base64url", omitPadding: true }))
  const hashes = await Promise.all(passwords.map((password) => hashPassword(password, null)))
  for (const [index, person] of people.entries()) {
    const { email, name, organization: slug, role = "member" } = person
    const organization = slug === undefined ? null : await find(context, slug)
    const membership = organization && { organizationId: organization.id, role }
    const account = { email, name, isOperator: organization === null, membership, passwordHash: hashes[index] ?? null }
    await createUser(context, account, ACTOR)
  }
  return people.map((person, index) => ({ ...person, password: passwords[index] ?? "" }))
}

async function fillSeller(at: At, slug: string, label: string, days: Days): Promise<string> {
  const atStart = at(days.moment(OPENED, 10))
  const seller = await find(atStart, slug)
  const key = await createIngestKey(atStart, seller, label, ACTOR)
  const source = { kind: "key", reference: key.record.id, detail: "" } as const
  const reporter: Reporter = { organizationId: seller.id, source }
  await reportHistory(at, reporter, slug, days)
  await recordAffiliates(at, reporter, slug, days)
  if (slug === PODCASTS) {
    const member = await atStart.store.users.findByEmail("mo@lighthouse.example")
    await reportExceptions(at, reporter, member?.id ?? 0, days)
    const hourly = await createIngestKey(atStart, seller, "Ad server, hourly push", ACTOR)
    await reportHourly(at, { ...reporter, source: { ...source, reference: hourly.record.id } }, days)
    await noteLastUse(at, seller, hourly)
  }
  await noteLastUse(at, seller, key)
  return key.secret
}

/** A key was last used for its last request. */
async function noteLastUse(at: At, { id }: Organization, { record, secret }: IngestKey): Promise<void> {
  const keys = await at(0).store.feedActivity.keys(id)
  const last = keys.find((key) => key.id === record.id)?.lastRequest
  if (last) await admitIngest(at(last.at), secret, BEFOREHAND)
}

async function find({ store }: ReportContext, slug: string): Promise<Organization> {
  const organization = await store.organizations.findBySlug(slug)
  if (organization === null) throw new Error(`the demo has no organization ${slug}`)
  return organization
}

const callsOf = ({ days, ...demand }: DemoBrief): DemoCall[] =>
  days.map((day) => ({
    when: [day, 10, 20],
    keyed: true,
    tool: "get_products",
    arguments: { buying_mode: "brief", brief: demand.brief },
    durationMicros: 1_100,
    demand: { ...demand, isNextPage: false },
  }))

/** Calls of the last weeks, as the door would have logged them. Returns when the key was used last. */
function logCalls(context: ReportContext, agentKeyId: string, days: Days): Moment {
  // The log is in the order in which calls came in.
  const inOrder = [...briefs.flatMap(callsOf), ...calls]
    .map(({ when, ...call }) => ({ ...call, at: days.moment(...when) }))
    .sort((a, b) => a.at - b.at)
  for (const { keyed, outcome = "completed", demand = null, ...call } of inOrder) {
    const caller = keyed ? { agentKeyId, address: null } : { agentKeyId: null, address: "203.0.113.7" }
    logAgentCall(context, { ...call, ...caller, method: "tools/call", outcome, demand })
  }
  return inOrder.findLast(({ keyed }) => keyed)?.at ?? context.clock()
}
