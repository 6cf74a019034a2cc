import { openLink } from "../../test/harness/link.ts"
import { startServer as startPostgres } from "../../test/harness/postgres.ts"
import { type LoadRequest, sendLoad, sendOnce } from "../harness/load.ts"
import { install } from "../harness/product.ts"
import { spreadOf } from "../harness/rounds.ts"
import { MARK, packageId } from "../harness/workload.ts"
import { mustAccept } from "./hot-paths.ts"
import type { Scenario } from "./scenario.ts"

const ROUND_TRIP_MS = 1
const SELLERS = 20

export const postgresFar: Scenario = {
  name: "postgres-far",
  title: `Delivery on PostgreSQL that is ${ROUND_TRIP_MS} ms away, 1 item a request`,
  async run(program, { rounds, seconds }) {
    await using stack = new AsyncDisposableStack()
    const postgres = await startPostgres({ fsync: "on" })
    stack.defer(async () => {
      await postgres.owner.close()
      postgres.stop()
    })
    const url = new URL(postgres.urlOf("postgres"))
    const link = stack.use(await openLink(Number(url.port), ROUND_TRIP_MS))
    url.port = String(link.port)
    const installation = stack.use(install(program, url.href))
    await installation.import(sellersFile())
    const requests: LoadRequest[] = []
    for (let seller = 0; seller < SELLERS; seller++)
      requests.push(reportOf(await installation.newKey(slugOf(seller)), seller))
    const server = stack.use(await installation.serve())
    mustAccept(await sendOnce(server.url, requests[0]), 1)

    const measured = async (name: string, connections: number, sent: readonly LoadRequest[]) => {
      const rates: number[] = []
      for (let round = 0; round <= rounds; round++) {
        const { answered, seconds: taken } = await sendLoad({ url: server.url, connections, seconds, requests: sent })
        // The first round is for warming up.
        if (round > 0) rates.push(answered / taken)
      }
      const { lowest, median, highest } = spreadOf(rates)
      return `${name}: ${Math.round(median)} reports a second (${Math.round(lowest)} to ${Math.round(highest)})`
    }
    return [
      await measured("one seller, one report after the other", 1, requests.slice(0, 1)),
      await measured("one seller, 8 at once", 8, requests.slice(0, 1)),
      await measured(`${SELLERS} sellers, one each at once`, SELLERS, requests),
    ]
  },
}

const slugOf = (seller: number): string => `seller-${seller}`

function sellersFile() {
  const sellers = Array.from({ length: SELLERS }, (_, seller) => seller)
  const lines = sellers.map((seller) => ({
    package_id: packageId(seller),
    seller: slugOf(seller),
    name: `Line ${seller}`,
    pricing_basis: "impressions",
    flight_start: "2026-01-01",
  }))
  return {
    organizations: [
      ...sellers.map((seller) => ({ slug: slugOf(seller), name: `Seller ${seller}`, time_zone: "UTC" })),
      { slug: "brand-co", name: "Brand Co" },
    ],
    campaigns: [{ slug: "autumn", name: "Autumn", buyer: "brand-co", lines }],
  }
}

/** Each request sent has another total. */
const reportOf = (key: string, seller: number): LoadRequest => ({
  path: "/api/ingest/delivery/metrics",
  headers: { Authorization: `Bearer ${key}`, "Content-Type": "application/json" },
  body: `{"items":[{"package_id":"${packageId(seller)}","impressions":1${MARK}}]}`,
})
