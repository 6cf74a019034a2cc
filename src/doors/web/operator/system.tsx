import changelog from "../../../../CHANGELOG.md" with { type: "text" }
import { version } from "../../../../package.json"
import { type DoctorFinding, finding, quickChecks } from "../../../actions/operations/doctor.ts"
import { describeVersion, type VersionReport } from "../../../actions/operations/serving.ts"
import { SETTINGS, type SettingName, type ShownSetting } from "../../../config.ts"
import { spanInWords } from "../../../domain/activity/rhythm.ts"
import { capitalized, sizeInWords } from "../../../domain/text/short-text.ts"
import type { Errors } from "../form.ts"
import { BACKUPS, BACKUPS_FOLD, ORGANIZATIONS, SYSTEM, USERS } from "../frame/navigation.ts"
import { forOperator } from "../guards.ts"
import { Badge, ButtonLink, Card, Fold, PostButton, type Todo, TodoList } from "../parts/blocks.tsx"
import { HiddenInputs } from "../parts/form/form.tsx"
import { formatCount } from "../parts/format.tsx"
import { type Column, Table } from "../parts/table.tsx"
import { headedPage } from "../respond.tsx"
import type { PersonVisit } from "../visit.ts"
import { ACTIONS, backupFileRoutes } from "./backups/files.tsx"
import type { ScheduleDraft } from "./backups/section.tsx"
import { BackupSection, backupFacts, saveSchedule, scheduleDaily, scheduleDraft } from "./backups/section.tsx"
import { alertRoutes, alertsCure, alertsFold } from "./box/alerts.tsx"
import { bucketCard, bucketRoutes } from "./box/bucket.tsx"
import { CallLogNote, callLogRoutes } from "./box/call-log.tsx"
import { HttpsCard, httpsRoutes } from "./box/https.tsx"
import { mailCard, mailRoutes } from "./box/mail.tsx"
import { ServiceCard, type ServiceState } from "./box/service.tsx"
import { needTodo, type SystemNeed, surroundingsOf, systemNeeds } from "./system-needs.ts"

const COLUMNS: readonly Column<DoctorFinding>[] = [
  { title: "What", value: ({ check }) => capitalized(check) },
  {
    title: "State",
    cell: ({ ok }) => (ok ? <Badge tone="good">OK</Badge> : <Badge tone="bad">Needs attention</Badge>),
  },
  { title: "Details", value: ({ detail, advice }) => (advice ? `${detail.replace(/\.$/, "")}. ${advice}` : detail) },
]

const CHECKS_FOLD = "?open=checks"

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

function withFacts(quick: readonly DoctorFinding[], { config }: PersonVisit["context"], about: VersionReport) {
  const address = config.publicUrl ?? `${config.host}:${config.port}, no public address is set`
  return [finding("version", true, about.detail, ""), ...quick, finding("address", true, address, "")]
}

type Refused = Readonly<{ draft?: ScheduleDraft; uploadErrors?: Errors }>

async function show(visit: PersonVisit, { draft, uploadErrors }: Refused = {}): Promise<Response> {
  const { context, url } = visit
  const { backups } = context
  const [needs, quick, about, schedule, facts] = await Promise.all([
    systemNeeds(context),
    quickChecks(context, surroundingsOf(context)),
    describeVersion(context.store, version, changelog),
    scheduleDraft(visit),
    backupFacts(visit),
  ])
  const checks = withFacts(quick, context, about)
  const cures = await curesOf(visit, schedule)
  const isRefused = draft !== undefined || uploadErrors !== undefined
  const isUnderWay = backups.restoring !== null || [...backups.checks.values()].includes(null)
  return headedPage(visit, {
    title: "System",
    actions: [
      <ButtonLink icon="check" href={`${SYSTEM}${CHECKS_FOLD}#checks`} label="Check everything now" />,
      <PostButton action={`${SYSTEM}/backups`} icon="database" label="Back up now" />,
    ],
    isBusy: isUnderWay && !isRefused,
    intro: `Adbooth ${version} on ${new URL(visit.origin).host}, up for ${spanInWords(visit.now - context.startedAt)}. ${needs.length === 0 ? "Nothing needs you." : `${formatCount(needs.length, "thing needs", "things need")} you.`}`,
    body: [
      <Card flush title="Needs your attention">
        {needs.length === 0 ? (
          <p class="card-foot">Nothing. Backups run, alerts are set up, and the disk has room.</p>
        ) : (
          <TodoList todos={needs.map((need) => ({ ...needTodo(need), ...cures[need.key] }))} />
        )}
      </Card>,
      <div class="cols three">
        {await serverCards(visit, about, checks)}
        <HttpsCard visit={visit} />
        {await bucketCard(visit)}
        {await mailCard(visit)}
      </div>,
      <Fold
        id="backups"
        title="Backups and restoring"
        note={facts.files.length === 0 ? "None yet" : formatCount(facts.files.length, "copy", "copies")}
        isOpen={isRefused || url.search === BACKUPS_FOLD}
      >
        <BackupSection visit={visit} draft={draft ?? schedule} {...facts} errors={uploadErrors ?? {}} />
      </Fold>,
      await alertsFold(visit),
      <Fold id="checks" title="All checks" note={`${checks.length}, made just now`} isOpen={url.search === CHECKS_FOLD}>
        <Table caption="System status" columns={COLUMNS} rows={checks} />
        <p class="hint">
          <code>adbooth doctor</code> on the server also reads the whole database.
        </p>
      </Fold>,
      visit.place?.hasSeveralSellers === false && (
        <Fold title="Organizations and people" note="Companies that sell or buy, and everybody who can sign in">
          <div class="actions">
            <ButtonLink small href={ORGANIZATIONS} label="Organizations" />
            <ButtonLink small href={USERS} label="All people" />
          </div>
        </Fold>
      ),
      <Fold title="Settings" note="What was chosen when the server was started">
        {await CallLogNote(visit)}
        <Table caption="Settings" columns={SETTING_COLUMNS} rows={settingsOf(visit)} />
        <p class="hint">
          All others have their defaults. <a href="/docs/settings">What each means</a>.{" "}
          <code>adbooth doctor --settings</code> shows what the next start would use.
        </p>
      </Fold>,
    ],
  })
}

/** What is done in the row of a need. */
const curesOf = async (
  visit: PersonVisit,
  { seen }: ScheduleDraft,
): Promise<Partial<Record<SystemNeed["key"], Partial<Todo>>>> => ({
  schedule: {
    ways: (
      <div class="actions">
        <PostButton small kind="primary" action={`${ACTIONS}/daily`} label="Back up every day">
          <HiddenInputs values={{ seen }} />
        </PostButton>
        <ButtonLink small kind="quiet" href={`${BACKUPS}#schedule`} label="Choose" about="Choose a schedule" />
      </div>
    ),
  },
  alerts: { ways: await alertsCure(visit) },
  unsent: { href: "/docs/operations#alerts", action: "How to set it up" },
})

/** Which version, how much room, and whether everything works. */
async function serverCards({ context }: PersonVisit, { previous }: VersionReport, checks: readonly DoctorFinding[]) {
  const free = await context.diskFreeBytes().catch(() => null)
  const total = await context.diskTotalBytes().catch(() => null)
  return [
    <Card title="Version">
      <p>
        <span class="figure mid">{version}</span> {previous !== null && <span class="soft">{previous} before</span>}
      </p>
      <p class="small soft">
        <a href="/docs/changelog">What’s new</a>, <a href="/docs/lifecycle">how to update or go back</a>
      </p>
    </Card>,
    <Card
      title="Disk"
      actions={checks.every(({ check, ok }) => ok || check !== "disk") && <Badge tone="good">Enough</Badge>}
    >
      <p>
        <span class="figure mid">{free === null ? "?" : sizeInWords(free)}</span>{" "}
        <span class="soft">{total === null ? "free" : `of ${sizeInWords(total)} free`}</span>
      </p>
      {free !== null && total !== null && <progress value={total - free} max={total} aria-label="Used" />}
      <p class="small soft">The database takes {sizeInWords(await context.store.health.sizeBytes())}.</p>
    </Card>,
    <ServiceCard title="Health" state={healthOf(checks, context.store.health.engine)} form={null} />,
  ]
}

function healthOf(checks: readonly DoctorFinding[], engine: string): ServiceState {
  const wrong = checks.filter(({ ok }) => !ok).map(({ check }) => check)
  const passed = [`All ${checks.length} checks passed`, "Checked just now"] as const
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
  ...callLogRoutes,
]
