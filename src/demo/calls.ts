import type { ReportContext } from "../actions/context.ts"
import { logAgentCall } from "../actions/operations/call-log.ts"
import type { Demand } from "../domain/demand/demand.ts"
import type { Moment } from "../domain/time/moment.ts"
import type { Days } from "./days.ts"

interface DemoCall {
  /** Days from today, hour and minute. */
  readonly when: readonly [number, number, number]
  readonly keyed: boolean
  readonly tool: string
  readonly arguments: object
  readonly outcome: string
  readonly micros: number
  readonly demand?: Demand
}

const call = (
  when: DemoCall["when"],
  keyed: boolean,
  tool: string,
  args: object,
  micros: number,
  outcome = "completed",
): DemoCall => ({ when, keyed, tool, arguments: args, micros, outcome })

const calls: readonly DemoCall[] = [
  call([-6, 8, 2], false, "get_adcp_capabilities", {}, 310),
  {
    ...call([-5, 14, 31], true, "get_products", { buying_mode: "wholesale", filters: { countries: ["AT"] } }, 880),
    demand: {
      brief: null,
      countries: ["AT"],
      formats: [],
      budget: null,
      matched: 1,
      products: ["sea-stories-midroll"],
      isNextPage: false,
    },
  },
  call([-4, 9, 15], false, "list_creative_formats", { type: "audio" }, 690),
  call([-2, 16, 44], false, "get_products", { adcp_major_version: 2 }, 150, "VERSION_UNSUPPORTED"),
]

/** A question: the brief, countries, formats, products that fit, and the budget. */
type DemoBrief = readonly [
  brief: string,
  countries: readonly string[],
  formats: readonly string[],
  products: readonly string[],
  budget?: { readonly amount: number; readonly currency: string },
]

const TRIPS: DemoBrief = [
  "podcast listeners who plan trips in autumn",
  ["DE"],
  ["podcast"],
  ["sea-stories-midroll", "city-walks-preroll"],
]
const SKI: DemoBrief = ["30 second video spots for ski resorts in Switzerland", ["CH"], ["olv 30 s"], []]
const HIKERS: DemoBrief = [
  "podcast mid-roll for hikers in Austria, 5,000 EUR",
  ["AT"],
  ["podcast"],
  ["sea-stories-midroll"],
  { amount: 5_000, currency: "EUR" },
]
const BANNER: DemoBrief = ["a wide banner on a news site", [], ["display"], ["homepage-billboard"]]
const RADIO: DemoBrief = ["morning radio spots in Poland", ["PL"], ["radio"], []]
const CINEMA: DemoBrief = ["cinema spots before family films in Hamburg", ["DE"], ["cinema"], []]

/** By the day of the last weeks on which they were asked. */
const BRIEFS: readonly (readonly [day: number, DemoBrief])[] = [
  ...([-29, -9, -6] as const).map((day) => [day, TRIPS] as const),
  ...([-27, -19, -3] as const).map((day) => [day, SKI] as const),
  [-26, HIKERS],
  [-13, BANNER],
  [-12, RADIO],
  [-5, CINEMA],
  [-2, BANNER],
  [-1, RADIO],
]

/** Where nothing fits a brief, products are shown all the same. */
const ALL_THE_SAME = ["sea-stories-midroll", "city-walks-preroll", "homepage-billboard"]

const asked: readonly DemoCall[] = BRIEFS.map(([day, [brief, countries, formats, fitting, budget = null]]) => {
  const products = fitting.length === 0 ? ALL_THE_SAME : fitting
  return {
    ...call([day, 10, 20], true, "get_products", { buying_mode: "brief", brief }, 1_100),
    demand: { brief, countries, formats, products, matched: fitting.length, budget, isNextPage: false },
  }
})

/** Calls of the last weeks, as the door would have logged them. Returns when the key was used last. */
export function logCalls(context: ReportContext, agentKeyId: string, days: Days): Moment {
  const all = [...asked, ...calls].map((one) => ({ ...one, at: days.moment(...one.when) }))
  // The log is in the order in which calls came in.
  const inOrder = all.toSorted((one, other) => one.at - other.at)
  for (const { at, keyed, tool, arguments: args, outcome, micros, demand = null } of inOrder) {
    logAgentCall(context, {
      at,
      agentKeyId: keyed ? agentKeyId : null,
      address: keyed ? null : "203.0.113.7",
      method: "tools/call",
      tool,
      arguments: args,
      outcome,
      demand,
      durationMicros: micros,
    })
  }
  return inOrder.findLast(({ keyed }) => keyed)?.at ?? context.clock()
}
