import { checkReadiness } from "../../../actions/operations/check-readiness.ts"
import { type Config, SETTINGS, type SettingName } from "../../../config.ts"
import { CsvLink } from "../parts/list-bits.tsx"
import { type ListColumn, listCsv } from "../parts/listing.ts"
import { Table } from "../parts/table.tsx"
import { Badge, Heading } from "../parts/widgets.tsx"
import { page } from "../respond.ts"
import { forOperator } from "../route.ts"
import type { PersonVisit } from "../visit.ts"
import { formatInterval } from "./format-interval.ts"
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
  const [bytes, facts] = await Promise.all([store.health.sizeBytes(), store.health.facts()])
  return [
    ...readiness,
    { name: "size", ok: true, detail: `the database takes ${(bytes / 1024 / 1024).toFixed(1)} MiB` },
    { name: "engine", ok: true, detail: store.health.engine },
    ...facts.map(({ label, value }) => ({ name: label, ok: true, detail: value })),
    {
      name: "address",
      ok: true,
      detail: config.publicUrl ?? `${config.host}:${config.port}, no public address is set`,
    },
  ]
}

interface SettingRow {
  readonly option: string
  readonly value: string
  readonly help: string
}

const SETTING_COLUMNS: readonly ListColumn<SettingRow>[] = [
  { title: "Option", cell: ({ option }) => <code>--{option}</code>, value: ({ option }) => option },
  { title: "Value", cell: ({ value }) => value, value: ({ value }) => value },
  { title: "What it is for", cell: ({ help }) => help, value: ({ help }) => help },
]

function settingsOf({ context: { config } }: PersonVisit): SettingRow[] {
  return (Object.keys(SETTINGS) as SettingName[]).map((name) => {
    const { option, help } = SETTINGS[name]
    return { option, help, value: inForce(name, config[name]) }
  })
}

function inForce(name: SettingName, value: Config[SettingName]): string {
  if (value === null) return "not set"
  if (Array.isArray(value)) return value.length === 0 ? "none" : `${value.length} networks`
  return name === "backupEvery" ? formatInterval(Number(value)) : String(value)
}

async function show(visit: PersonVisit): Promise<Response> {
  const found = await findings(visit)
  return page(visit, {
    title: "System",
    active: SYSTEM,
    body: (
      <>
        <Heading
          title="System"
          actions={
            <>
              <CsvLink href={`${SYSTEM}.csv`} />
              <a class="button quiet" href={`${SYSTEM}/settings.csv`} download>
                Settings as CSV
              </a>
            </>
          }
        >
          <p class="soft">
            How the installation is doing. <code>adbooth doctor</code> on the server looks deeper.
          </p>
        </Heading>
        <Table caption="System status" columns={COLUMNS} rows={found} rowKey={({ name }) => name} />
        <h2>Settings in force</h2>
        <p class="soft">
          They are given when the server is started, as options or in the environment. <code>adbooth config</code> tells
          where each comes from.
        </p>
        <Table
          caption="Settings in force"
          columns={SETTING_COLUMNS}
          rows={settingsOf(visit)}
          rowKey={({ option }) => option}
        />
      </>
    ),
  })
}

export const systemRoutes = [
  forOperator("GET", SYSTEM, show),
  forOperator("GET", `${SYSTEM}.csv`, async (visit) => listCsv("system", COLUMNS, await findings(visit))),
  forOperator("GET", `${SYSTEM}/settings.csv`, (visit) => listCsv("settings", SETTING_COLUMNS, settingsOf(visit))),
]
