import { alertStatus, alertStatusInWords } from "../../../actions/alerts/alert-status.ts"
import { checkReadiness } from "../../../actions/operations/check-readiness.ts"
import { type Config, environmentName, SETTINGS, type SettingName } from "../../../config.ts"
import type { Cidr } from "../../../domain/callers/client-address.ts"
import { Badge } from "../parts/badge.tsx"
import { CsvLink } from "../parts/button-link.tsx"
import { headedPage } from "../parts/page-kinds.tsx"
import { listCsv } from "../parts/table/list-csv.ts"
import { type Column, Table } from "../parts/table/table.tsx"
import { forOperator } from "../route.ts"
import type { PersonVisit } from "../visit.ts"
import { SYSTEM } from "./navigation.ts"
import { formatInterval } from "./times.ts"
import { VersionSection, versionOf } from "./version-section.tsx"

type Finding = Readonly<{ name: string; ok: boolean; detail: string }>

const COLUMNS: readonly Column<Finding>[] = [
  { title: "What", value: ({ name }) => name },
  {
    title: "State",
    cell: ({ ok }) => (ok ? <Badge tone="good">OK</Badge> : <Badge tone="bad">needs attention</Badge>),
    value: ({ ok }) => (ok ? "OK" : "needs attention"),
  },
  { title: "Details", value: ({ detail }) => detail },
]

async function findings({ context }: PersonVisit): Promise<Finding[]> {
  const { store, config } = context
  const diskFreeBytes = () => context.diskFreeBytes(config)
  const readiness = await checkReadiness(context, { diskFreeBytes, backupEvery: config.backupEvery })
  const [bytes, facts, about, alerts] = await Promise.all([
    store.health.sizeBytes(),
    store.health.facts(),
    versionOf(store),
    alertStatus(store),
  ])
  return [
    { name: "version", ok: true, detail: about.detail },
    ...readiness,
    { name: "alerts", ...alertStatusInWords(alerts) },
    { name: "size", ok: true, detail: `the database is ${(bytes / 1024 / 1024).toFixed(1)} MiB` },
    { name: "engine", ok: true, detail: store.health.engine },
    ...facts.map(({ label, value }) => ({ name: label, ok: true, detail: value })),
    {
      name: "address",
      ok: true,
      detail: config.publicUrl ?? `${config.host}:${config.port}, no public address is set`,
    },
  ]
}

type SettingRow = Readonly<{ option: string; variable: string; value: string; help: string }>

const SETTING_COLUMNS: readonly Column<SettingRow>[] = [
  {
    title: "Option",
    cell: ({ option, variable }) => (
      <>
        <code>--{option}</code>
        <br />
        <code class="soft">{variable}</code>
      </>
    ),
    value: ({ option }) => option,
  },
  { title: "Value", value: ({ value }) => value },
  { title: "What it is for", value: ({ help }) => help },
]

function settingsOf({ context: { config } }: PersonVisit): SettingRow[] {
  return (Object.keys(SETTINGS) as SettingName[]).map((name) => {
    const { option, help } = SETTINGS[name]
    return { option, help, variable: environmentName(option), value: formatSetting(name, config[name]) }
  })
}

function formatSetting(name: SettingName, value: Config[SettingName]): string {
  if (value === null) return "not set"
  const { show } = SETTINGS[name]
  if (show !== undefined) return show(String(value))
  if (Array.isArray(value)) return value.map(formatPart).join(", ") || "none"
  return name === "backupEvery" ? formatInterval(Number(value)) : String(value)
}

const formatPart = (part: string | Cidr) => (typeof part === "string" ? part : `${part.address}/${part.bits}`)

async function show(visit: PersonVisit): Promise<Response> {
  const [found, about] = await Promise.all([findings(visit), versionOf(visit.context.store)])
  return headedPage(visit, {
    title: "System",
    active: SYSTEM,
    csv: `${SYSTEM}.csv`,
    actions: <CsvLink href={`${SYSTEM}/settings.csv`} label="Settings as CSV" />,
    intro: (
      <p class="soft">
        The state of this installation. Run <code>adbooth doctor</code> on the server for more checks.
      </p>
    ),
    body: (
      <>
        <Table caption="System status" columns={COLUMNS} rows={found} rowKey={({ name }) => name} />
        <VersionSection about={about} />
        <h2>Settings in force</h2>
        <p class="soft">
          They are read when the server starts. To change one, start it with the option, such as{" "}
          <code>adbooth serve --backup-every 24h</code>, or set the variable below it in the environment (of the service
          or the container), then restart it. <code>adbooth config</code> shows where each value comes from.
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
