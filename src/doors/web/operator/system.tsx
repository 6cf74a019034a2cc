import changelog from "../../../../CHANGELOG.md" with { type: "text" }
import { version } from "../../../../package.json"
import { alertStatus, alertStatusInWords } from "../../../actions/alerts/alert-status.ts"
import { isDeliveryOn } from "../../../actions/operations/agent-delivery.ts"
import { backupSchedule } from "../../../actions/operations/backups.ts"
import { checkReadiness } from "../../../actions/operations/readiness.ts"
import { describeVersion, type VersionReport } from "../../../actions/operations/serving.ts"
import { type Origin, SETTINGS, type SettingName } from "../../../config.ts"
import type { StoreReads } from "../../../storage/port/store.ts"
import { SYSTEM } from "../frame/navigation.ts"
import { renderPart } from "../guides/library.ts"
import { CsvLink } from "../parts/buttons.tsx"
import { Badge } from "../parts/feedback.tsx"
import { headedPage } from "../parts/page.tsx"
import { type Column, listCsv, Table } from "../parts/table.tsx"
import { forOperator } from "../route.ts"
import type { PersonVisit } from "../visit.ts"
import { formatInterval } from "./backups/schedule-form.tsx"

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

type SettingRow = Readonly<{
  option: string
  variable: string
  value: string
  from: Origin
  help: string
  change: string
}>

const ORIGINS: Readonly<Record<Origin, string>> = {
  option: "option",
  environment: "environment",
  default: "default",
}

// A longer value may be broken anywhere.
const LONG = 24

const SETTING_COLUMNS: readonly Column<SettingRow>[] = [
  { title: "Setting", cell: ({ option }) => <b>{option.replaceAll("-", " ")}</b>, value: ({ option }) => option },
  {
    title: "Value",
    cell: ({ value }) => (value.length > LONG ? <span class="wrap">{value}</span> : value),
    value: ({ value }) => value,
  },
  {
    title: "From",
    cell: ({ from }) => <Badge tone={from === "default" ? "off" : "info"}>{ORIGINS[from]}</Badge>,
    value: ({ from }) => ORIGINS[from],
  },
  { title: "What it is for", value: ({ help }) => help },
  { title: "How to change it", value: ({ change }) => change },
]

const SETTING_CSV_COLUMNS: readonly Column<SettingRow>[] = [
  ...SETTING_COLUMNS,
  { title: "Variable", value: ({ variable }) => variable },
]

/** Passwords are never part of the texts. */
async function settingsOf({ context: { settings, store, config } }: PersonVisit): Promise<SettingRow[]> {
  const { every, keep } = await backupSchedule(store, config)
  const inApp = {
    backupEvery: ["Backups", every === null ? "never" : formatInterval(every)],
    backupKeep: ["Backups", String(keep)],
    agentDelivery: ["Agent sales, Buyers’ keys", (await isDeliveryOn(store, config)) ? "on" : "off"],
  } as const
  return (Object.keys(SETTINGS) as SettingName[]).map((name) => {
    const { option, help } = SETTINGS[name]
    const { text, from, variable } = settings[name]
    const chosen = from === "default" && name in inApp ? inApp[name as keyof typeof inApp] : undefined
    return {
      option,
      variable,
      value: chosen?.[1] ?? (text || "not set"),
      from,
      help,
      change: chosen ? `Under ${chosen[0]}, at once.` : howToChange(from, option, variable),
    }
  })
}

function howToChange(from: Origin, option: string, variable: string): string {
  if (from === "option") return `Change --${option} where the server is started, then restart it.`
  if (from === "environment") return `Change ${variable} in the environment of the service, then restart it.`
  return `Start the server with --${option}, or set ${variable}.`
}

async function show(visit: PersonVisit): Promise<Response> {
  const [found, about, settings] = await Promise.all([
    findings(visit),
    versionOf(visit.context.store),
    settingsOf(visit),
  ])
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
          They are read when the server starts: an option goes before a variable of the environment. Passwords are not
          shown. <code>adbooth doctor --settings</code> shows the same on the server.
        </p>
        <Table caption="Settings in force" columns={SETTING_COLUMNS} rows={settings} rowKey={({ option }) => option} />
      </>
    ),
  })
}

export const systemRoutes = [
  forOperator("GET", SYSTEM, show),
  forOperator("GET", `${SYSTEM}.csv`, async (visit) => listCsv("system", COLUMNS, await findings(visit))),
  forOperator("GET", `${SYSTEM}/settings.csv`, async (visit) =>
    listCsv("settings", SETTING_CSV_COLUMNS, await settingsOf(visit)),
  ),
]

// A longer list would push the settings out of sight.
const OPEN_CHARACTERS_MAX = 3_000

function versionOf(store: StoreReads): Promise<VersionReport> {
  return describeVersion(store, version, changelog)
}

/** What the changelog says since the version that ran before. */
function VersionSection({ about: { previous, changes } }: { readonly about: VersionReport }) {
  if (previous === null || changes.length === 0) return null
  return (
    <section class="stack">
      <h2>Changed since {previous}</h2>
      <p class="soft">
        The whole <a href="/docs/changelog">changelog</a>, and <a href="/docs/lifecycle#going-back">how to go back</a>.
      </p>
      {changes.map((release) => (
        <details key={release.version} class="card" open={release.text.length < OPEN_CHARACTERS_MAX}>
          <summary>Version {release.version}</summary>
          <div class="prose" dangerouslySetInnerHTML={{ __html: renderPart("changelog", release.text) }} />
        </details>
      ))}
    </section>
  )
}
