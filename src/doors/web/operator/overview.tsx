import { checkReadiness } from "../../../actions/operations/check-readiness.ts"
import { setUpSteps } from "../../../actions/operations/set-up-steps.ts"
import type { ListedAuditEntry, LoggedCall } from "../../../storage/port/store.ts"
import { Ago, inNumbers } from "../parts/format.tsx"
import { Table } from "../parts/table.tsx"
import { Badge, Heading } from "../parts/widgets.tsx"
import { page } from "../respond.ts"
import { forOperator } from "../route.ts"
import type { PersonVisit } from "../visit.ts"
import { actorOf } from "./audit.tsx"
import { callerOf } from "./calls.tsx"
import { Checklist } from "./checklist.tsx"
import { AUDIT, BACKUPS, CALLS, OPENINGS, OPERATOR, ORGANIZATIONS, PRODUCTS, SYSTEM, USERS } from "./navigation.ts"
import { ZONE } from "./zone.ts"

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
  return page(visit, {
    title: "Overview",
    active: OPERATOR,
    body: (
      <>
        <Heading title={`Hello, ${visit.person.name}`}>
          <p class="soft">You run this installation.</p>
        </Heading>
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
        <div class="columns">
          <LatestCalls calls={latest.calls} visit={visit} />
          <LatestChanges changes={changes.entries} visit={visit} />
        </div>
      </>
    ),
  })
}

interface Fact {
  readonly href: string
  readonly title: string
  readonly fact: string
  readonly tone?: "good" | "bad"
}

async function factsOf({ context }: PersonVisit): Promise<Fact[]> {
  const { store, config } = context
  const [{ organizations, users, products, keysWithProducts }, checks] = await Promise.all([
    store.health.counts(),
    checkReadiness(context, {
      diskFreeBytes: () => context.diskFreeBytes(config.data),
      backupEvery: config.backupEvery,
    }),
  ])
  const wrong = checks.filter(({ ok }) => !ok)
  return [
    { href: ORGANIZATIONS, title: "Organizations", fact: inNumbers(organizations) },
    { href: USERS, title: "Users", fact: inNumbers(users) },
    { href: PRODUCTS, title: "Products", fact: inNumbers(products) },
    { href: OPENINGS, title: "Keys that see products", fact: inNumbers(keysWithProducts) },
    {
      href: BACKUPS,
      title: "Backups",
      fact: checks.find(({ name }) => name === "backup")?.detail.split(",")[0] ?? "",
    },
    {
      href: SYSTEM,
      title: "System",
      fact: wrong.length === 0 ? "all fine" : `needs you: ${wrong.map(({ name }) => name).join(", ")}`,
      tone: wrong.length === 0 ? "good" : "bad",
    },
  ]
}

function LatestCalls({ calls, visit }: { readonly calls: readonly LoggedCall[]; readonly visit: PersonVisit }) {
  return (
    <section class="card">
      <h2>Latest agent calls</h2>
      {calls.length === 0 ? (
        <p class="soft">No agent has called yet.</p>
      ) : (
        <Table
          caption="Latest agent calls"
          columns={[
            { title: "When", cell: ({ at }) => <Ago at={at} zone={ZONE} now={visit.now} /> },
            { title: "Who", cell: callerOf },
            { title: "What", cell: ({ tool, method }) => tool ?? method },
          ]}
          rows={calls}
          rowKey={({ id }) => id}
        />
      )}
      <p>
        <a href={CALLS}>All agent calls</a>
      </p>
    </section>
  )
}

function LatestChanges({
  changes,
  visit,
}: {
  readonly changes: readonly ListedAuditEntry[]
  readonly visit: PersonVisit
}) {
  return (
    <section class="card">
      <h2>Latest changes</h2>
      {changes.length === 0 ? (
        <p class="soft">Nothing has changed yet.</p>
      ) : (
        <Table
          caption="Latest changes"
          columns={[
            { title: "When", cell: ({ at }) => <Ago at={at} zone={ZONE} now={visit.now} /> },
            { title: "Who", cell: actorOf },
            { title: "What", cell: ({ action }) => action.replaceAll("_", " ") },
          ]}
          rows={changes}
          rowKey={({ id }) => id}
        />
      )}
      <p>
        <a href={AUDIT}>The whole audit trail</a>
      </p>
    </section>
  )
}

export const overviewRoutes = [forOperator("GET", OPERATOR, show)]
