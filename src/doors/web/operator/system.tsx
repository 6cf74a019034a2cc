import { checkReadiness } from "../../../actions/check-readiness.ts"
import { Badge, Heading } from "../parts/bits.tsx"
import { CsvLink } from "../parts/list-bits.tsx"
import { type ListColumn, listCsv } from "../parts/listing.ts"
import { Table } from "../parts/table.tsx"
import { page } from "../respond.ts"
import { forOperator } from "../route.ts"
import type { PersonVisit } from "../visit.ts"
import { SYSTEM } from "./navigation.ts"

interface Finding {
  readonly name: string
  readonly ok: boolean
  readonly detail: string
}

const COLUMNS: readonly ListColumn<Finding>[] = [
  { title: "What", cell: ({ name }) => name, value: ({ name }) => name },
  {
    title: "State",
    cell: ({ ok }) => (ok ? <Badge tone="good">fine</Badge> : <Badge tone="bad">needs you</Badge>),
    value: ({ ok }) => (ok ? "fine" : "needs you"),
  },
  { title: "Details", cell: ({ detail }) => detail, value: ({ detail }) => detail },
]

async function findings({ context }: PersonVisit): Promise<Finding[]> {
  const { store, config } = context
  const diskFreeBytes = () => context.diskFreeBytes(config.data)
  const readiness = await checkReadiness(context, { diskFreeBytes, backupEvery: config.backupEvery })
  const bytes = await store.health.sizeBytes()
  return [
    ...readiness,
    { name: "size", ok: true, detail: `the database takes ${(bytes / 1024 / 1024).toFixed(1)} MiB` },
    { name: "engine", ok: true, detail: store.health.engine },
    {
      name: "address",
      ok: true,
      detail: config.publicUrl ?? `${config.host}:${config.port}, no public address is set`,
    },
  ]
}

async function show(visit: PersonVisit): Promise<Response> {
  const found = await findings(visit)
  return page(visit, {
    title: "System",
    active: SYSTEM,
    body: (
      <>
        <Heading title="System" actions={<CsvLink href={`${SYSTEM}.csv`} />}>
          <p class="soft">
            How the installation is doing. <code>adbooth doctor</code> on the server looks deeper.
          </p>
        </Heading>
        <Table caption="System status" columns={COLUMNS} rows={found} rowKey={({ name }) => name} />
      </>
    ),
  })
}

export const systemRoutes = [
  forOperator("GET", SYSTEM, show),
  forOperator("GET", `${SYSTEM}.csv`, async (visit) => listCsv("system", COLUMNS, await findings(visit))),
]
