import { createAgentKey, revokeAgentKey, setAgentKeyBuyer } from "../../../actions/keys/agent-keys.ts"
import { labelErrors } from "../../../domain/keys/api-key.ts"
import type { ListRules } from "../../../domain/lists/list-query.ts"
import { formatMoment } from "../../../domain/time/moment.ts"
import type { ListedAgentKey as AgentKeyRow } from "../../../storage/port/store.ts"
import { pageNotFound } from "../error-pages.tsx"
import { type Errors, readForm } from "../form.ts"
import { AGENT_KEY, AGENT_KEYS, at, CALLS, OPENINGS, OPERATOR } from "../frame/navigation.ts"
import { askedPage, askedRows, type ListColumn, ListView } from "../lists.tsx"
import { showOnce } from "../one-time-secret.tsx"
import { Badge, Empty } from "../parts/feedback.tsx"
import { Field } from "../parts/form/fields.tsx"
import { Form } from "../parts/form/form.tsx"
import { Time } from "../parts/format.tsx"
import { confirmPage, headedPage } from "../parts/page.tsx"
import { listCsv } from "../parts/table.tsx"
import { done, goTo } from "../respond.ts"
import { forOperator, withFound } from "../route.ts"
import { type PersonVisit, param } from "../visit.ts"

const RULES: ListRules<AgentKeyRow> = {
  searched: ({ label, prefix }) => `${label}\n${prefix}`,
  states: { active: ({ revokedAt }) => revokedAt === null, revoked: ({ revokedAt }) => revokedAt !== null },
  sorts: {
    created: ({ createdAt }) => createdAt,
    label: ({ label }) => label,
    used: ({ lastUsedAt }) => lastUsedAt,
    products: ({ openings }) => openings.length,
  },
  largestFirst: ["created", "used", "products"],
}

const COLUMNS: readonly ListColumn<AgentKeyRow>[] = [
  { title: "Label", sortBy: "label", value: ({ label }) => label },
  { title: "Prefix", cell: ({ prefix }) => <code>{prefix}…</code>, value: ({ prefix }) => prefix },
  {
    title: "Created",
    sortBy: "created",
    phone: "large",
    cell: ({ createdAt }) => <Time at={createdAt} />,
    value: ({ createdAt }) => formatMoment(createdAt),
  },
  {
    title: "Last used",
    sortBy: "used",
    cell: ({ lastUsedAt }) => (lastUsedAt === null ? "never" : <Time at={lastUsedAt} />),
    value: ({ lastUsedAt }) => (lastUsedAt === null ? "" : formatMoment(lastUsedAt)),
  },
  { title: "Acts for", value: ({ buyer }) => buyer ?? "", phone: "large" },
  { title: "Products", sortBy: "products", value: ({ openings }) => openings.length, numeric: true },
  {
    title: "State",
    phone: "corner",
    cell: ({ revokedAt }) =>
      revokedAt === null ? <Badge tone="good">Active</Badge> : <Badge tone="bad">Revoked</Badge>,
    value: ({ revokedAt }) => (revokedAt === null ? "active" : "revoked"),
  },
  { title: "Actions", phone: "actions", cell: (key) => <KeyActions of={key} /> },
]

function KeyActions({ of: { id, label, revokedAt } }: { readonly of: AgentKeyRow }) {
  return (
    <div class="actions">
      {revokedAt === null && (
        <>
          <a href={at(AGENT_KEY, id, "sees")} aria-label={`What it sees: ${label}`}>
            What it sees
          </a>
          <a href={`${OPENINGS}?key=${id}`} aria-label={`Open products to ${label}`}>
            Open products
          </a>
          <a href={at(AGENT_KEY, id, "buyer")} aria-label={`Whom it acts for: ${label}`}>
            Acts for
          </a>
        </>
      )}
      <a href={`${CALLS}?caller=${id}`} aria-label={`Calls of ${label}`}>
        Calls
      </a>
      {revokedAt === null && (
        <a class="danger" href={at(AGENT_KEY, id, "revoke")} aria-label={`Revoke ${label}`}>
          Revoke
        </a>
      )}
    </div>
  )
}

async function list(visit: PersonVisit, label = "", buyer = "", errors: Errors = {}): Promise<Response> {
  const keys = await visit.context.store.agentKeys.list()
  const empty = (
    <Empty
      title="No keys yet"
      text="Without a key an agent sees which formats you accept, but no products. Create one for each buyer."
    />
  )
  return headedPage(visit, {
    title: "Agent keys",
    active: AGENT_KEYS,
    intro: "A buyer's agent sends its key and sees the products that are open to it.",
    body: (
      <>
        <section class="card narrow">
          <h2>New key</h2>
          <Form action={AGENT_KEYS} submit="Create key" values={{ label, buyer }} errors={errors}>
            <Field
              name="label"
              label="Whose key is it?"
              required
              maxlength={100}
              hint="Such as the buyer's name. One active key for each label."
            />
            <BuyerField />
          </Form>
        </section>
        <ListView
          url={visit.url}
          list={askedPage(visit.url, RULES, keys)}
          rules={RULES}
          what="agent keys"
          searched="labels and prefixes"
          states={{ active: "Active", revoked: "Revoked" }}
          columns={COLUMNS}
          rowKey={({ id }) => id}
          csv={`${AGENT_KEYS}.csv${visit.url.search}`}
          empty={empty}
        />
      </>
    ),
  })
}

async function create(visit: PersonVisit): Promise<Response> {
  const form = await readForm(visit.request)
  const [label, slug] = [form.text("label"), form.text("buyer")]
  const buyer = await buyerNamed(visit, slug)
  const errors = { ...labelErrors(label), ...(buyer === undefined && NO_ORGANIZATION) }
  if (buyer === undefined || errors.label !== undefined) return list(visit, label, slug, errors)
  const made = await createAgentKey(visit.context, label, visit.actor, buyer)
  if (made === null)
    return list(visit, label, slug, { label: "There is already an active key with this label. Choose another." })
  return createdPage(visit, made.record.id, label, made.secret)
}

function createdPage(visit: PersonVisit, id: string, label: string, secret: string): Response {
  const call = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "get_products", arguments: {} } }
  const curl = [
    `curl -X POST ${visit.origin}/ \\`,
    `  -H 'Authorization: Bearer ${secret}' \\`,
    "  -H 'Content-Type: application/json' -H 'Accept: application/json, text/event-stream' \\",
    `  -d '${JSON.stringify(call)}'`,
  ].join("\n")
  return showOnce(visit, OPERATOR, {
    title: "New agent key",
    heading: `Key for ${label}`,
    active: AGENT_KEYS,
    trail: [{ href: AGENT_KEYS, label: "Agent keys" }],
    text: "It is shown only once. Send it to the buyer over a channel that you trust: anyone who has it sees what you open to it.",
    secrets: [
      { id: "key", label: "Agent key", text: secret },
      { id: "curl", label: "A first call", text: curl },
    ],
    first: { href: `${OPENINGS}?key=${id}`, label: "Open products to it" },
    done: { href: AGENT_KEYS, label: "Back to keys" },
  })
}

function BuyerField() {
  return (
    <Field
      name="buyer"
      label="Acts for"
      maxlength={64}
      hint="The short name of the organization whose campaigns it may read the delivery of, if you let agents do that."
    />
  )
}

const NO_ORGANIZATION = { buyer: "There is no organization with this short name." }

/** Null where the field is empty, undefined where nobody has this name. */
async function buyerNamed({ context }: PersonVisit, slug: string) {
  return slug === "" ? null : ((await context.store.organizations.findBySlug(slug)) ?? undefined)
}

function askBuyer(visit: PersonVisit, key: AgentKeyRow, buyer = key.buyer ?? "", errors: Errors = {}): Response {
  return headedPage(visit, {
    title: `Whom ${key.label} acts for`,
    active: AGENT_KEYS,
    trail: [{ href: AGENT_KEYS, label: "Agent keys" }],
    body: (
      <section class="card narrow">
        <Form
          action={at(AGENT_KEY, key.id, "buyer")}
          submit="Save"
          cancel={AGENT_KEYS}
          values={{ buyer }}
          errors={errors}
        >
          <BuyerField />
        </Form>
      </section>
    ),
  })
}

async function saveBuyer(visit: PersonVisit, key: AgentKeyRow): Promise<Response> {
  const slug = (await readForm(visit.request)).text("buyer")
  const buyer = await buyerNamed(visit, slug)
  if (buyer === undefined) return askBuyer(visit, key, slug, NO_ORGANIZATION)
  const changed = await setAgentKeyBuyer(visit.context, key.id, buyer, visit.actor)
  if (changed.outcome === "not found") return pageNotFound(visit)
  return goTo(visit, AGENT_KEYS, done(`${key.label} acts for ${buyer?.name ?? "nobody"} now.`))
}

async function findAgentKey(visit: PersonVisit): Promise<AgentKeyRow | undefined> {
  const id = param(visit, "key")
  return (await visit.context.store.agentKeys.list()).find((key) => key.id === id && key.revokedAt === null)
}

function askRevoke(visit: PersonVisit, { id, label, prefix }: AgentKeyRow): Response {
  return confirmPage(visit, {
    title: "Revoke agent key",
    active: AGENT_KEYS,
    question: `Revoke the key for ${label}?`,
    action: at(AGENT_KEY, id, "revoke"),
    submit: "Revoke key",
    cancel: AGENT_KEYS,
    text: (
      <>
        Calls with <code>{prefix}…</code> will be refused. This cannot be undone, but you can create a new key.
      </>
    ),
  })
}

async function revoke(visit: PersonVisit): Promise<Response> {
  const revoked = await revokeAgentKey(visit.context, param(visit, "key"), visit.actor)
  if (revoked.outcome === "not found") return pageNotFound(visit)
  return goTo(visit, AGENT_KEYS, done(`The key for ${revoked.label} has been revoked.`))
}

export const agentKeyRoutes = [
  forOperator("GET", AGENT_KEYS, (visit) => list(visit)),
  forOperator("POST", AGENT_KEYS, create),
  forOperator("GET", `${AGENT_KEYS}.csv`, async ({ context, url }) =>
    listCsv("agent-keys", COLUMNS, askedRows(url, RULES, await context.store.agentKeys.list())),
  ),
  forOperator("GET", `${AGENT_KEY}/:key/revoke`, withFound(findAgentKey, askRevoke)),
  forOperator("POST", `${AGENT_KEY}/:key/revoke`, revoke),
  forOperator(
    "GET",
    `${AGENT_KEY}/:key/buyer`,
    withFound(findAgentKey, (visit, key) => askBuyer(visit, key)),
  ),
  forOperator("POST", `${AGENT_KEY}/:key/buyer`, withFound(findAgentKey, saveBuyer)),
]
