import type { ComponentChildren } from "preact"
import { checkReadiness } from "../../../actions/operations/check-readiness.ts"
import { setUpSteps } from "../../../actions/operations/set-up-steps.ts"
import type { ListedAuditEntry, LoggedCall } from "../../../storage/port/store.ts"
import { Badge } from "../parts/badge.tsx"
import { formatNumber } from "../parts/format.tsx"
import { headedPage } from "../parts/page-kinds.tsx"
import { type Column, Table } from "../parts/table/table.tsx"
import { Ago } from "../parts/time.tsx"
import { forOperator } from "../route.ts"
import type { PersonVisit } from "../visit.ts"
import { actorOf } from "./audit.tsx"
import { callerOf } from "./calls.tsx"
import { Checklist } from "./checklist.tsx"
import { AUDIT, BACKUPS, CALLS, OPENINGS, OPERATOR, ORGANIZATIONS, PRODUCTS, SYSTEM, USERS } from "./navigation.ts"

const LATEST = { before: null, limit: 5 } as const

async function show(visit: PersonVisit): Promise<Response> {
  const { store } = visit.context
  const [steps, organizations, latest, changes, facts] = await Promise.all([
    setUpSteps(visit.context),
    store.organizations.list(),
    store.agentCallLog.search({}, LATEST),
    store.audit.list({}, LATEST),
    factsOf(visit),
  ])
  const when = {
    title: "When",
    cell: ({ at }: ListedAuditEntry | LoggedCall) => <Ago at={at} />,
  }
  const callColumns = [
    when,
    { title: "Who", value: callerOf },
    { title: "What", value: ({ tool, method }: LoggedCall) => tool ?? method },
  ]
  const changeColumns = [
    when,
    { title: "Who", value: actorOf },
    { title: "What", value: ({ action }: ListedAuditEntry) => action.replaceAll("_", " ") },
  ]
  return headedPage(visit, {
    title: "Overview",
    heading: `Hello, ${visit.person.name}`,
    active: OPERATOR,
    intro: "You run this installation.",
    body: (
      <>
        {steps !== null && <Checklist steps={steps} organization={organizations[0]?.slug ?? null} />}
        <ul class="places">
          {facts.map(({ href, title, fact, tone }) => (
            <li key={href}>
              <a class="card" href={href}>
                <span class="soft">{title}</span>
                {tone === undefined ? <strong>{fact}</strong> : <Badge tone={tone}>{fact}</Badge>}
              </a>
            </li>
          ))}
        </ul>
        <div class="cols of-tables">
          <Latest title="Latest agent calls" columns={callColumns} rows={latest.calls} empty="No agent has called yet.">
            <a href={CALLS}>All agent calls</a>
          </Latest>
          <Latest title="Latest changes" columns={changeColumns} rows={changes.entries} empty="No changes yet.">
            <a href={AUDIT}>Full audit trail</a>
          </Latest>
        </div>
      </>
    ),
  })
}

type Fact = Readonly<{ href: string; title: string; fact: string; tone?: "good" | "bad" }>

async function factsOf({ context }: PersonVisit): Promise<Fact[]> {
  const { store, config } = context
  const [{ organizations, users, products, keysWithProducts }, checks] = await Promise.all([
    store.health.counts(),
    checkReadiness(context, {
      diskFreeBytes: () => context.diskFreeBytes(config),
      backupEvery: config.backupEvery,
    }),
  ])
  const wrong = checks.filter(({ ok }) => !ok)
  return [
    { href: ORGANIZATIONS, title: "Organizations", fact: formatNumber(organizations) },
    { href: USERS, title: "Users", fact: formatNumber(users) },
    { href: PRODUCTS, title: "Products", fact: formatNumber(products) },
    { href: OPENINGS, title: "Keys that see products", fact: formatNumber(keysWithProducts) },
    { href: BACKUPS, title: "Backups", fact: checks.find(({ name }) => name === "backup")?.detail.split(",")[0] ?? "" },
    {
      href: SYSTEM,
      title: "System",
      fact: wrong.length === 0 ? "all good" : `needs attention: ${wrong.map(({ name }) => name).join(", ")}`,
      tone: wrong.length === 0 ? "good" : "bad",
    },
  ]
}

interface LatestProps<Row> {
  readonly title: string
  readonly columns: readonly Column<Row>[]
  readonly rows: readonly Row[]
  readonly empty: string
  readonly children: ComponentChildren
}

function Latest<Row extends { readonly id: number }>({ title, columns, rows, empty, children }: LatestProps<Row>) {
  return (
    <section class="card">
      <h2>{title}</h2>
      {rows.length === 0 ? (
        <p class="soft">{empty}</p>
      ) : (
        <Table caption={title} columns={columns} rows={rows} rowKey={({ id }) => id} />
      )}
      <p>{children}</p>
    </section>
  )
}

export const overviewRoutes = [forOperator("GET", OPERATOR, show)]
