import type { ComponentChildren } from "preact"
import { checkReadiness, type SetUpStep, setUpSteps } from "../../../actions/operations/readiness.ts"
import type { ListedAuditEntry, LoggedCall, SetUpProgress } from "../../../storage/port/store.ts"
import {
  AGENT_KEYS,
  AUDIT,
  BACKUPS,
  CALLS,
  OPENINGS,
  OPERATOR,
  ORGANIZATIONS,
  PRODUCTS,
  SYSTEM,
  USERS,
} from "../frame/navigation.ts"
import { Badge } from "../parts/feedback.tsx"
import { Ago, formatNumber } from "../parts/format.tsx"
import { headedPage } from "../parts/page.tsx"
import { type Column, Table } from "../parts/table.tsx"
import { forOperator } from "../route.ts"
import type { PersonVisit } from "../visit.ts"
import { actorOf } from "./audit.tsx"
import { callerOf } from "./calls.tsx"

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

type StepText = Readonly<{ title: string; why: string; href: (organization: string | null) => string }>

const inOrganization = (place: string) => (slug: string | null) =>
  slug === null ? `${ORGANIZATIONS}/new` : `/app/o/${slug}/${place}`

const STEPS: Readonly<Record<keyof SetUpProgress, StepText>> = {
  organization: {
    title: "Add the organization that sells",
    why: "Campaigns, keys and people belong to it.",
    href: () => `${ORGANIZATIONS}/new`,
  },
  line: {
    title: "Add a campaign with its lines",
    why: "Delivery is reported for lines.",
    href: inOrganization("campaigns"),
  },
  ingestKey: {
    title: "Create an API key",
    why: "Your systems use it to send delivery totals.",
    href: inOrganization("keys"),
  },
  delivery: {
    title: "Report the first delivery",
    why: "By API, or with the form on the campaign's page.",
    href: inOrganization("campaigns"),
  },
  product: {
    title: "Describe a product",
    why: "Buyers' agents find it through the sales agent.",
    href: () => `${PRODUCTS}/new`,
  },
  agentKey: { title: "Create an agent key", why: "One for each buyer.", href: () => AGENT_KEYS },
  opening: { title: "Open the product to the key", why: "Nobody sees it until then.", href: () => OPENINGS },
}

type ChecklistProps = Readonly<{ steps: readonly SetUpStep[]; organization: string | null }>

/** What is left to do in a new installation. It disappears when everything is done. */
function Checklist({ steps, organization }: ChecklistProps) {
  const next = steps.find(({ done }) => !done)?.step
  const count = steps.filter(({ done }) => done).length
  return (
    <section class="card checklist" aria-labelledby="checklist">
      <h2 id="checklist">
        Set up <span class="soft">{`${count} of ${steps.length} done`}</span>
      </h2>
      <ol>
        {steps.map(({ step, done }) => {
          const { title, why, href } = STEPS[step]
          return (
            <li key={step} class={done ? "done" : undefined}>
              <span class="tick" aria-hidden="true">
                {done ? "✓" : ""}
              </span>
              <div>
                {done ? (
                  <>
                    {title} <span class="vh">(done)</span>
                  </>
                ) : (
                  <a href={href(organization)} class={step === next ? "next" : undefined}>
                    {title}
                  </a>
                )}
                {!done && <p class="soft">{why}</p>}
              </div>
            </li>
          )
        })}
      </ol>
    </section>
  )
}
