import { type Finding, runChecks } from "../../../../actions/checks.ts"
import type { Context } from "../../../../actions/context.ts"
import { publicUrl } from "../../../../actions/mail.ts"
import { copyFromBefore, VERSION, versions } from "../../../../actions/operations/services.ts"
import { MICROS_PER_DAY } from "../../../../domain/time/moment.ts"
import { type RefusalCount, refusalsSince } from "../../../../storage/operations/settings.ts"
import { page } from "../../../page.tsx"
import { Badge, ButtonLink, Card, Facts, type Todo, TodoList } from "../../../parts/blocks.tsx"
import { formatBytes, formatCount, formatNumber } from "../../../parts/format.tsx"
import type { IconName } from "../../../parts/icon.tsx"
import { type Column, Table } from "../../../parts/table.tsx"
import type { SignedInVisit } from "../../../visit.ts"
import { BACKUPS, SYSTEM } from "./service.tsx"
import { serviceCards } from "./service-cards.tsx"

/** The health of the server, its resources, and what needs attention. */
export async function systemPage(visit: SignedInVisit): Promise<Response> {
  const { context, now } = visit
  const { database } = context
  const findings = await runChecks(context, "system")
  const wrong = findings.filter(({ ok }) => !ok)
  await database.later.flush()
  const refusals = await refusalsSince(database.read, now - MICROS_PER_DAY)
  const needs = wrong.length === 0 ? "All checks passed." : `${formatCount(wrong.length, "problem")} to solve.`
  return page(visit, {
    title: "System",
    intro: `Adbooth ${VERSION} on ${new URL(publicUrl(context)).host}. ${needs}`,
    actions: <ButtonLink icon="database" href={BACKUPS} label="Backups" />,
    hasTimes: true,
    body: (
      <>
        {wrong.length > 0 && (
          <Card title="Needs your attention" isFlush>
            <TodoList todos={wrong.map(todoOf)} />
          </Card>
        )}
        <div class="cols">
          {await serviceCards(context, findings)}
          {await serverCard(context)}
        </div>
        <Card title="Checks" isFlush>
          <Table caption="Checks" columns={CHECK_COLUMNS} rows={findings} />
          <p class="card-foot hint">
            <code>adbooth doctor</code> on the server also reads all of the data.
          </p>
        </Card>
        <RefusalsCard refusals={refusals} />
      </>
    ),
  })
}

// The page that fixes the cause of a failed check. Other causes must be fixed on the server itself.
const CURES: Readonly<Record<string, { readonly path: string; readonly action: string; readonly icon: IconName }>> = {
  backup: { path: BACKUPS, action: "Backups", icon: "database" },
  copies: { path: `${SYSTEM}/bucket`, action: "Bucket", icon: "database" },
  https: { path: `${SYSTEM}/https`, action: "HTTPS", icon: "shield" },
  mail: { path: `${SYSTEM}/mail`, action: "Mail", icon: "message" },
  alerts: { path: `${SYSTEM}/alerts`, action: "Alerts", icon: "message" },
  encryption: { path: `${SYSTEM}/https`, action: "HTTPS", icon: "shield" },
}

const ON_THE_SERVER = { path: "/docs/operate", action: "Read how", icon: "server" } as const

function todoOf({ check, detail, advice }: Finding): Todo {
  const { path, action, icon } = CURES[check] ?? ON_THE_SERVER
  return { tone: "bad", icon, subject: nameOf(check), what: "", text: `${detail} ${advice}`, href: path, action }
}

const NAMES: Readonly<Record<string, string>> = { https: "HTTPS", copies: "Backups elsewhere" }

const nameOf = (check: string): string => NAMES[check] ?? check.charAt(0).toUpperCase() + check.slice(1)

const CHECK_COLUMNS: readonly Column<Finding>[] = [
  { title: "What", cell: ({ check }) => nameOf(check) },
  {
    title: "State",
    cell: ({ ok }) => (ok ? <Badge tone="good" label="OK" /> : <Badge tone="bad" label="Problem" />),
    onPhone: "corner",
  },
  { title: "Details", cell: ({ detail, advice }) => `${detail} ${advice}`.trim(), onPhone: "span" },
]

async function serverCard(context: Context) {
  const { health } = context.database
  const { adbooth, commit, bun } = versions()
  const free = await health.freeBytes().catch(() => null)
  const copy = copyFromBefore(context)
  return (
    <Card title="Version">
      <Facts
        facts={[
          { term: "Adbooth", value: adbooth, note: `Commit ${commit}, Bun ${bun}` },
          { term: "Database", value: health.engine, note: formatBytes(await health.sizeBytes()) },
          ...(free === null ? [] : [{ term: "Disk", value: `${formatBytes(free)} free` }]),
        ]}
      />
      <p class="soft wrap">
        {copy === null
          ? "No copy from before an upgrade is kept."
          : `The copy from before the last upgrade is ${copy}.`}{" "}
        <a href="/docs/install">How to upgrade or go back</a>
      </p>
    </Card>
  )
}

const WAYS: Readonly<Record<string, string>> = { api: "Ingest API", agent: "Sales agent", app: "Web app" }

const REASONS: Readonly<Record<number, string>> = {
  400: "The request couldn’t be read.",
  401: "No valid key.",
  403: "From another website.",
  413: "Too large.",
  415: "Not JSON, or compressed.",
  429: "Too many requests.",
  503: "The server was busy.",
}

const REFUSED_COLUMNS: readonly Column<RefusalCount>[] = [
  { title: "Where", cell: ({ way }) => WAYS[way] ?? way },
  { title: "Why", cell: ({ status }) => REASONS[status] ?? "", onPhone: "wide" },
  { title: "Status", cell: ({ status }) => status, isNumber: true },
  { title: "Requests", cell: ({ count }) => formatNumber(count), isNumber: true },
]

const RefusalsCard = ({ refusals }: { readonly refusals: readonly RefusalCount[] }) => (
  <Card title="Refused requests in the last day" isFlush={refusals.length > 0}>
    {refusals.length === 0 ? (
      <p class="soft">None.</p>
    ) : (
      <Table caption="Refused requests" columns={REFUSED_COLUMNS} rows={refusals} />
    )}
  </Card>
)
