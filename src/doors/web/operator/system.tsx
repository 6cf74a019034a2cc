import changelog from "../../../../CHANGELOG.md" with { type: "text" }
import { version } from "../../../../package.json"
import { withChoices } from "../../../actions/alerts/alert-choice.ts"
import { alertStatus, alertStatusInWords } from "../../../actions/alerts/alert-status.ts"
import { isDeliveryOn } from "../../../actions/operations/agent-delivery.ts"
import { backupSchedule } from "../../../actions/operations/backups.ts"
import { describeVersion, type VersionReport } from "../../../actions/operations/serving.ts"
import { type Origin, SETTINGS, type SettingName } from "../../../config.ts"
import { spanInWords } from "../../../domain/activity/rhythm.ts"
import { sizeInWords } from "../../../domain/text/short-text.ts"
import type { StoreReads } from "../../../storage/port/store.ts"
import type { Errors } from "../form.ts"
import { BACKUPS_FOLD, ORGANIZATIONS, SYSTEM, USERS } from "../frame/navigation.ts"
import { renderPart } from "../guides/library.ts"
import { Badge, ButtonLink, Card, CsvLink, Fold, PostButton, Stats, Submit } from "../parts/blocks.tsx"
import { Options } from "../parts/form/choices.tsx"
import { HiddenInputs } from "../parts/form/form.tsx"
import { formatCount } from "../parts/format.tsx"
import { Icon, type IconName } from "../parts/icon.tsx"
import { headedPage } from "../parts/page.tsx"
import { type Column, listCsv, Table } from "../parts/table.tsx"
import { forOperator } from "../route.ts"
import type { PersonVisit } from "../visit.ts"
import { ACTIONS, backupFileRoutes, filesOf } from "./backups/files.tsx"
import {
  BackupSection,
  backupFacts,
  COMMON_INTERVALS,
  columnsOf,
  formatInterval,
  type ScheduleDraft,
  saveSchedule,
  scheduleDraft,
} from "./backups/section.tsx"
import { ALERTS, alertRoutes, alertsFold } from "./box/alerts.tsx"
import { bucketCard, bucketRoutes } from "./box/bucket.tsx"
import { HttpsCard, httpsRoutes } from "./box/https.tsx"
import { mailCard, mailRoutes } from "./box/mail.tsx"
import { readinessOf, type SystemNeed, systemNeeds } from "./system-needs.ts"

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
  const readiness = await readinessOf(context)
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
    { name: "size", ok: true, detail: `the database takes ${sizeInWords(bytes)}` },
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

// A longer value may be broken anywhere.
const LONG = 24

const SETTING_COLUMNS: readonly Column<SettingRow>[] = [
  { title: "Setting", cell: ({ option }) => <b>{option.replaceAll("-", " ")}</b>, value: ({ option }) => option },
  {
    title: "Value",
    cell: ({ value }) => <code class={value.length > LONG ? "wrap" : undefined}>{value}</code>,
    value: ({ value }) => value,
  },
  {
    title: "From",
    cell: ({ from }) => <Badge tone={from === "default" ? "off" : "info"}>{from}</Badge>,
    value: ({ from }) => from,
  },
  { title: "What it is for", value: ({ help }) => help },
  { title: "How to change it", value: ({ change }) => change },
]

const SETTING_CSV_COLUMNS: readonly Column<SettingRow>[] = [
  ...SETTING_COLUMNS,
  { title: "Variable", value: ({ variable }) => variable },
]

/** Passwords are never part of the texts. */
async function settingsOf({ context }: PersonVisit): Promise<SettingRow[]> {
  const { settings, store, config } = context
  const { every, keep } = await backupSchedule(store, config)
  const to = (await withChoices(context, config)).alertTo.join(", ") || "not set"
  const inApp = {
    backupEvery: ["Backups", every === null ? "never" : formatInterval(every)],
    backupKeep: ["Backups", String(keep)],
    alertTo: ["Alerts", to],
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
      change: chosen ? `Under ${chosen[0]}; applies at once.` : howToChange(from, option, variable),
    }
  })
}

function howToChange(from: Origin, option: string, variable: string): string {
  if (from === "option") return `Change --${option} where the server is started, then restart it.`
  if (from === "environment") return `Change ${variable} in the environment of the service, then restart it.`
  return `Start the server with --${option}, or set ${variable}.`
}

/** What was refused on the way. */
type Refused = Readonly<{ draft?: ScheduleDraft; uploadErrors?: Errors }>

async function show(visit: PersonVisit, { draft, uploadErrors }: Refused = {}): Promise<Response> {
  const { context, url } = visit
  const { backups } = context
  const [needs, checks, about, schedule, facts] = await Promise.all([
    systemNeeds(context),
    findings(visit),
    versionOf(context.store),
    scheduleDraft(visit),
    backupFacts(visit),
  ])
  const isRefused = draft !== undefined || uploadErrors !== undefined
  const isUnderWay = backups.restoring !== null || [...backups.checks.values()].includes(null)
  return headedPage(visit, {
    title: "System",
    actions: <PostButton action={`${SYSTEM}/backups`} icon="database" label="Back up now" />,
    isBusy: isUnderWay && !isRefused,
    intro: `Adbooth ${version} on ${new URL(visit.origin).host}, up for ${spanInWords(visit.now - context.startedAt)}. ${needs.length === 0 ? "Nothing needs you." : `${formatCount(needs.length, "thing needs", "things need")} you.`}`,
    body: (
      <>
        <NeedsYou needs={needs} schedule={schedule} />
        <Stats facts={await figuresOf(visit, about, checks)} />
        <div class="cols">
          <HttpsCard visit={visit} />
          {await bucketCard(visit)}
          {await mailCard(visit)}
        </div>
        <Fold
          id="backups"
          title="Backups and restoring"
          note="Make, check, download and restore copies"
          isOpen={isRefused || url.search === BACKUPS_FOLD}
        >
          <BackupSection visit={visit} draft={draft ?? schedule} {...facts} errors={uploadErrors ?? {}} />
        </Fold>
        {await alertsFold(visit)}
        <SettingsFold settings={await settingsOf(visit)} />
        <Fold title="All checks" note={`${checks.length}; adbooth doctor runs them on the server`}>
          <Table caption="System status" columns={COLUMNS} rows={checks} rowKey={({ name }) => name} />
          <CsvLink href={`${SYSTEM}.csv`} />
        </Fold>
        <VersionSection about={about} />
        {visit.place?.hasSeveralSellers === false && (
          <p class="hint">
            Everyone who can sign in: <a href={USERS}>all people</a>. Sellers and buyers:{" "}
            <a href={ORGANIZATIONS}>organizations</a>.
          </p>
        )}
      </>
    ),
  })
}

function SettingsFold({ settings }: { readonly settings: readonly SettingRow[] }) {
  const own = settings.filter(({ from }) => from !== "default").length
  return (
    <Fold title="All settings" note={`${settings.length}, ${own} changed from the default`}>
      <p class="soft">
        Read when the server starts. Options override environment variables. Passwords are not shown.{" "}
        <a href="/docs/settings">What each setting does</a>
      </p>
      <Table caption="Settings in force" columns={SETTING_COLUMNS} rows={settings} rowKey={({ option }) => option} />
      <CsvLink href={`${SYSTEM}/settings.csv`} />
    </Fold>
  )
}

const NEED_ICONS: Readonly<Partial<Record<SystemNeed["key"], IconName>>> = {
  disk: "server",
  alerts: "message",
  unsent: "message",
}

type NeedsProps = Readonly<{ needs: readonly SystemNeed[]; schedule: ScheduleDraft }>

/** Each with its cure in the row, where one press is enough. */
function NeedsYou({ needs, schedule }: NeedsProps) {
  return (
    <Card flush title="Needs your attention">
      {needs.length === 0 ? (
        <p class="card-foot">Nothing. Backups run, alerts are set up, and the disk has room.</p>
      ) : (
        <ul class="todo fixes">
          {needs.map(({ key, subject, text }) => (
            <li key={subject}>
              <span class={`tile ${key === "schedule" || key === "alerts" ? "warn" : "bad"}`}>
                <Icon name={NEED_ICONS[key] ?? "database"} />
              </span>
              <div>
                <h3>
                  <strong>{subject}</strong>
                </h3>
                <p>{text}</p>
              </div>
              {key === "schedule" && <ScheduleNow schedule={schedule} />}
              {key === "alerts" && <AlertsNow />}
              {key === "unsent" && <HowAlerts />}
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}

function ScheduleNow({ schedule: { revision, typed } }: { readonly schedule: ScheduleDraft }) {
  const everyDay = COMMON_INTERVALS.find(({ label }) => label === "Every day")
  return (
    <form class="actions" method="post" action={`${ACTIONS}/schedule`}>
      <HiddenInputs values={{ revision, keep: typed.keep }} />
      <select name="every" aria-label="Back up">
        <Options choices={COMMON_INTERVALS} chosen={everyDay?.value ?? ""} />
      </select>
      <Submit kind="primary" label="Schedule" />
    </form>
  )
}

const HOW_ALERTS = "/docs/operations#alerts"

const HowAlerts = () => <ButtonLink small href={HOW_ALERTS} label="How to set it up" />

const AlertsNow = () => (
  <div class="actions">
    <ButtonLink small kind="primary" href={ALERTS} label="Set up alerts" />
    <PostButton small kind="quiet" action={`${ALERTS}/dismiss`} label="Don’t remind me" />
  </div>
)

/** The server in three figures. */
async function figuresOf({ context }: PersonVisit, { previous }: VersionReport, checks: readonly Finding[]) {
  const free = await context.diskFreeBytes(context.config).catch(() => null)
  const total = await context.diskTotalBytes(context.config).catch(() => null)
  const bytes = await context.store.health.sizeBytes()
  const wrong = checks.filter(({ ok }) => !ok).map(({ name }) => name)
  return [
    {
      term: "Version",
      value: version,
      note: (
        <>
          {previous !== null && `${previous} before. `}
          <a href="/docs/changelog">What’s new</a>, <a href="/docs/lifecycle">how to update or go back</a>
        </>
      ),
    },
    {
      term: "Free disk space",
      value: free === null ? "?" : sizeInWords(free),
      note: `${total === null ? "" : `Of ${sizeInWords(total)}. `}The database takes ${sizeInWords(bytes)}`,
    },
    {
      term: "Checks",
      value: wrong.length === 0 ? `${checks.length} passed` : `${wrong.length} of ${checks.length} failed`,
      tone: wrong.length === 0 ? ("good" as const) : ("bad" as const),
      note: wrong.length === 0 ? "All of them are below" : wrong.join(", "),
    },
  ]
}

export const systemRoutes = [
  forOperator("GET", SYSTEM, show),
  forOperator("GET", `${SYSTEM}.csv`, async (visit) => listCsv("system", COLUMNS, await findings(visit))),
  forOperator("GET", `${SYSTEM}/settings.csv`, async (visit) =>
    listCsv("settings", SETTING_CSV_COLUMNS, await settingsOf(visit)),
  ),
  forOperator("GET", `${ACTIONS}.csv`, async (visit) =>
    listCsv("backups", columnsOf(visit.context.backups.checks), await filesOf(visit)),
  ),
  forOperator("POST", `${ACTIONS}/schedule`, (visit) => saveSchedule(visit, (draft) => show(visit, { draft }))),
  ...backupFileRoutes(show),
  ...httpsRoutes,
  ...bucketRoutes,
  ...mailRoutes,
  ...alertRoutes,
]

function versionOf(store: StoreReads): Promise<VersionReport> {
  return describeVersion(store, version, changelog)
}

/** What the changelog says since the version that ran before. */
function VersionSection({ about: { previous, changes } }: { readonly about: VersionReport }) {
  if (previous === null || changes.length === 0) return null
  return (
    <Fold title={`Changed since ${previous}`} note={formatCount(changes.length, "version", "versions")}>
      {changes.map((release) => (
        <section key={release.version}>
          <h3>Version {release.version}</h3>
          <div class="prose" dangerouslySetInnerHTML={{ __html: renderPart("changelog", release.text) }} />
        </section>
      ))}
    </Fold>
  )
}
