import type { ReportContext } from "../actions/context.ts"
import { logAgentCall } from "../actions/operations/call-log.ts"
import type { Demand } from "../domain/demand/demand.ts"
import type { Moment } from "../domain/time/moment.ts"
import type { Days } from "./days.ts"

/** A brief of the buying agent: countries, formats, products that fit, and the budget. */
type DemoBrief = readonly [
  brief: string,
  countries: readonly string[],
  formats: readonly string[],
  products: readonly string[],
  budget?: Demand["budget"],
]

const SEA = "sea-stories-midroll"
const CITY = "city-walks-preroll"
const BILLBOARD = "homepage-billboard"

const TRIPS: DemoBrief = ["podcast listeners who plan trips in autumn", ["DE"], ["podcast"], [SEA, CITY]]
const SKI: DemoBrief = ["30 second video spots for ski resorts in Switzerland", ["CH"], ["olv 30 s"], []]
const EUROS = { amount: 5_000, currency: "EUR" }
const HIKERS: DemoBrief = ["podcast mid-roll for hikers in Austria, 5,000 EUR", ["AT"], ["podcast"], [SEA], EUROS]
const BANNER: DemoBrief = ["a wide banner on a news site", [], ["display"], [BILLBOARD]]
const RADIO: DemoBrief = ["morning radio spots in Poland", ["PL"], ["radio"], []]
const CINEMA: DemoBrief = ["cinema spots before family films in Hamburg", ["DE"], ["cinema"], []]

/** On which days of the last weeks each was asked. */
const BRIEFS: readonly (readonly [DemoBrief, ...days: number[]])[] = [
  [TRIPS, -29, -9, -6],
  [SKI, -27, -19, -3],
  [HIKERS, -26],
  [BANNER, -13, -2],
  [RADIO, -12, -1],
  [CINEMA, -5],
]

interface DemoCall {
  /** Days from today, hour and minute. */
  readonly when: readonly [number, number, number]
  readonly keyed: boolean
  readonly tool: string
  readonly arguments: object
  readonly durationMicros: number
  readonly outcome?: string
  readonly demand?: Demand
}

const briefCalls = BRIEFS.flatMap(([[brief, countries, formats, fitting, budget = null], ...days]): DemoCall[] => {
  // Where nothing fits a brief, products are shown all the same.
  const products = fitting.length === 0 ? [SEA, CITY, BILLBOARD] : fitting
  const demand = { brief, countries, formats, products, matched: fitting.length, budget, isNextPage: false }
  const call = { tool: "get_products", keyed: true, arguments: { buying_mode: "brief", brief }, durationMicros: 1_100 }
  return days.map((day) => ({ ...call, when: [day, 10, 20], demand }))
})

const NO_BRIEF = { brief: null, formats: [], budget: null, isNextPage: false }

const others: readonly DemoCall[] = [
  { when: [-6, 8, 2], keyed: false, tool: "get_adcp_capabilities", arguments: {}, durationMicros: 310 },
  {
    when: [-5, 14, 31],
    keyed: true,
    tool: "get_products",
    arguments: { buying_mode: "wholesale", filters: { countries: ["AT"] } },
    durationMicros: 880,
    demand: { ...NO_BRIEF, countries: ["AT"], matched: 1, products: [SEA] },
  },
  { when: [-4, 9, 15], keyed: false, tool: "list_creative_formats", arguments: { type: "audio" }, durationMicros: 690 },
  {
    when: [-2, 16, 44],
    keyed: false,
    tool: "get_products",
    arguments: { adcp_major_version: 2 },
    durationMicros: 150,
    outcome: "VERSION_UNSUPPORTED",
  },
]

/** Calls of the last weeks, as the door would have logged them. Returns when the key was used last. */
export function logCalls(context: ReportContext, agentKeyId: string, days: Days): Moment {
  // The log is in the order in which calls came in.
  const inOrder = [...briefCalls, ...others]
    .map(({ when, ...call }) => ({ ...call, at: days.moment(...when) }))
    .sort((a, b) => a.at - b.at)
  for (const { keyed, outcome = "completed", demand = null, ...call } of inOrder) {
    const caller = keyed ? { agentKeyId, address: null } : { agentKeyId: null, address: "203.0.113.7" }
    logAgentCall(context, { ...call, ...caller, method: "tools/call", outcome, demand })
  }
  return inOrder.findLast(({ keyed }) => keyed)?.at ?? context.clock()
}
