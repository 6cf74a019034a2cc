import changelog from "../../../../CHANGELOG.md" with { type: "text" }
import { version } from "../../../../package.json"
import { alertStatus, alertStatusInWords } from "../../../actions/alerts/alert-status.ts"
import { describeVersion, type VersionReport } from "../../../actions/operations/serving.ts"
import { SETTINGS, type SettingName, type ShownSetting } from "../../../config.ts"
import { spanInWords } from "../../../domain/activity/rhythm.ts"
import { sizeInWords } from "../../../domain/text/short-text.ts"
import type { StoreReads } from "../../../storage/port/store.ts"
import type { Errors } from "../form.ts"
import { BACKUPS, BACKUPS_FOLD, ORGANIZATIONS, SYSTEM, USERS } from "../frame/navigation.ts"
import { Badge, ButtonLink, Card, Fold, PostButton, type Todo, TodoList } from "../parts/blocks.tsx"
import { formatCount } from "../parts/format.tsx"
import { headedPage } from "../parts/page.tsx"
import { type Column, Table } from "../parts/table.tsx"
import { forOperator } from "../route.ts"
import type { PersonVisit } from "../visit.ts"
import { ACTIONS, backupFileRoutes } from "./backups/files.tsx"
import {
  BackupSection,
  backupFacts,
  type ScheduleDraft,
  saveSchedule,
  scheduleDaily,
  scheduleDraft,
} from "./backups/section.tsx"
import { ALERTS, alertRoutes, alertsFold } from "./box/alerts.tsx"
import { bucketCard, bucketRoutes } from "./box/bucket.tsx"
import { HttpsCard, httpsRoutes } from "./box/https.tsx"
import { mailCard, mailRoutes } from "./box/mail.tsx"
import { ServiceCard, type ServiceState } from "./box/service.tsx"
import { needTodo, readinessOf, type SystemNeed, systemNeeds } from "./system-needs.ts"

type Finding = Readonly<{ name: string; ok: boolean; detail: string }>

const COLUMNS: readonly Column<Finding>[] = [
  { title: "What", value: ({ name }) => name },
  {
    title: "State",
    cell: ({ ok }) => (ok ? <Badge tone="good">OK</Badge> : <Badge tone="bad">needs attention</Badge>),
  },
  { title: "Details", value: ({ detail }) => detail },
]

type InForce = ShownSetting & Readonly<{ option: string }>

const SETTING_COLUMNS: readonly Column<InForce>[] = [
  { title: "Setting", cell: ({ option }) => <code>--{option}</code> },
  { title: "Value", cell: ({ text }) => <code>{text}</code> },
  { title: "From", value: ({ from, variable }) => (from === "environment" ? variable : from) },
]

/** Those that somebody chose. */
const settingsOf = ({ context: { settings } }: PersonVisit): InForce[] =>
  Object.entries(SETTINGS)
    .map(([name, { option }]) => ({ option, ...settings[name as SettingName] }))
    .filter(({ text, from }) => text && from !== "default")

async function findings({ context }: PersonVisit): Promise<Finding[]> {
  const { store, config } = context
  const readiness = await readinessOf(context)
  const [facts, about, alerts] = await Promise.all([store.health.facts(), versionOf(store), alertStatus(store)])
  return [
    { name: "version", ok: true, detail: about.detail },
    ...readiness,
    { name: "alerts", ...alertStatusInWords(alerts) },
    { name: "engine", ok: true, detail: store.health.engine },
    ...facts.map(({ label, value }) => ({ name: label, ok: true, detail: value })),
    {
      name: "address",
      ok: true,
      detail: config.publicUrl ?? `${config.host}:${config.port}, no public address is set`,
    },
  ]
}

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
        <Card flush title="Needs your attention">
          {needs.length === 0 ? (
            <p class="card-foot">Nothing. Backups run, alerts are set up, and the disk has room.</p>
          ) : (
            <TodoList todos={needs.map((need) => ({ ...needTodo(need), ...CURES[need.key] }))} />
          )}
        </Card>
        <div class="cols">
          {await serverCards(visit, about, checks)}
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
        <Fold title="All checks" note={`${checks.length}; adbooth doctor runs them on the server`}>
          <Table caption="System status" columns={COLUMNS} rows={checks} />
        </Fold>
        <Fold title="Settings" note="What was chosen when the server was started">
          <Table caption="Settings" columns={SETTING_COLUMNS} rows={settingsOf(visit)} />
          <p class="hint">
            All others have their defaults. <a href="/docs/settings">What each means</a>.{" "}
            <code>adbooth doctor --settings</code> shows what the next start would use.
          </p>
        </Fold>
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

const CURES: Readonly<Partial<Record<SystemNeed["key"], Partial<Todo>>>> = {
  schedule: {
    ways: (
      <div class="actions">
        <PostButton small kind="primary" action={`${ACTIONS}/daily`} label="Back up every day" />
        <ButtonLink small kind="quiet" href={`${BACKUPS}#schedule`} label="Choose" about="Choose a schedule" />
      </div>
    ),
  },
  alerts: {
    ways: (
      <div class="actions">
        <ButtonLink small kind="primary" href={ALERTS} label="Set up alerts" />
        <PostButton small kind="quiet" action={`${ALERTS}/dismiss`} label="Don’t remind me" />
      </div>
    ),
  },
  unsent: { href: "/docs/operations#alerts", action: "How to set it up" },
}

/** Which version, how much room, and whether everything works. */
async function serverCards({ context }: PersonVisit, { previous }: VersionReport, checks: readonly Finding[]) {
  const free = await context.diskFreeBytes(context.config).catch(() => null)
  const total = await context.diskTotalBytes(context.config).catch(() => null)
  return (
    <>
      <Card title="Version">
        <p>
          <span class="figure mid">{version}</span> {previous !== null && <span class="soft">{previous} before</span>}
        </p>
        <p class="small soft">
          <a href="/docs/changelog">What’s new</a>, <a href="/docs/lifecycle">how to update or go back</a>
        </p>
      </Card>
      <Card title="Disk">
        <p>
          <span class="figure mid">{free === null ? "?" : sizeInWords(free)}</span>{" "}
          <span class="soft">{total === null ? "free" : `of ${sizeInWords(total)} free`}</span>
        </p>
        {free !== null && total !== null && <progress value={total - free} max={total} aria-label="Used" />}
        <p class="small soft">The database takes {sizeInWords(await context.store.health.sizeBytes())}.</p>
      </Card>
      <ServiceCard title="Health" state={healthOf(checks, context.store.health.engine)} form={null} />
    </>
  )
}

function healthOf(checks: readonly Finding[], engine: string): ServiceState {
  const wrong = checks.filter(({ ok }) => !ok).map(({ name }) => name)
  const passed = ["All checks passed", "They are listed below"] as const
  return wrong.length === 0
    ? { is: "working", facts: [["The database answers", engine], passed] }
    : { is: "broken", problem: `Failed: ${wrong.join(", ")}.`, advice: "see All checks below.", meanwhile: "" }
}

export const systemRoutes = [
  forOperator("GET", SYSTEM, show),
  forOperator("POST", `${ACTIONS}/schedule`, (visit) => saveSchedule(visit, (draft) => show(visit, { draft }))),
  forOperator("POST", `${ACTIONS}/daily`, scheduleDaily),
  ...backupFileRoutes(show),
  ...httpsRoutes,
  ...bucketRoutes,
  ...mailRoutes,
  ...alertRoutes,
]

const versionOf = (store: StoreReads): Promise<VersionReport> => describeVersion(store, version, changelog)
