import { createIngestKey, revokeIngestKey } from "../../../actions/keys/ingest-keys.ts"
import { labelErrors } from "../../../domain/keys/api-key.ts"
import type { ListRules } from "../../../domain/lists/list-query.ts"
import { formatMinute, formatMoment } from "../../../domain/time/moment.ts"
import type { ListedIngestKey } from "../../../storage/port/store.ts"
import { pageNotFound } from "../error-pages.tsx"
import { type Errors, readForm } from "../form.ts"
import { askedPage, askedRows, type ListColumn, ListView } from "../lists.tsx"
import { showOnce } from "../one-time-secret.tsx"
import { ButtonLink } from "../parts/buttons.tsx"
import { Badge, Empty } from "../parts/feedback.tsx"
import { Field } from "../parts/form/fields.tsx"
import { Form } from "../parts/form/form.tsx"
import { Ago } from "../parts/format.tsx"
import { confirmPage, headedPage } from "../parts/page.tsx"
import { done, goTo } from "../respond.ts"
import { forAdmin, withFound } from "../route.ts"
import { type OrganizationVisit, param } from "../visit.ts"
import { csv } from "../write-csv.ts"

const RULES: ListRules<ListedIngestKey> = {
  searched: ({ label, prefix }) => `${label}\n${prefix}`,
  states: { active: ({ revokedAt }) => revokedAt === null, revoked: ({ revokedAt }) => revokedAt !== null },
  sorts: {
    created: ({ createdAt }) => createdAt,
    label: ({ label }) => label,
    used: ({ lastUsedAt }) => lastUsedAt,
  },
  largestFirst: ["created", "used"],
}

const baseOf = ({ organization }: OrganizationVisit) => `/app/o/${organization.slug}/keys`

async function keysPage(visit: OrganizationVisit, label = "", errors: Errors = {}): Promise<Response> {
  const base = baseOf(visit)
  const keys = await visit.context.store.ingestKeys.list(visit.organization.id)
  return headedPage(visit, {
    title: "API keys",
    active: base,
    intro: `One key for each system that sends totals to ${visit.organization.name}.`,
    actions: <ButtonLink kind="primary" icon="plus" href="#new-key" label="New key" />,
    body: (
      <>
        <ListView
          url={visit.url}
          list={askedPage(visit.url, RULES, keys)}
          rules={RULES}
          what="keys"
          searched="keys"
          states={{ active: "Active", revoked: "Revoked" }}
          columns={columnsFor(visit)}
          rowKey={({ id }) => id}
          csv={`${base}.csv${visit.url.search}`}
          empty={
            <Empty
              title="No keys yet"
              text="Make one for each system, so that you can revoke one without stopping the others."
            />
          }
        />
        <section class="card narrow" id="new-key">
          <h2>New key</h2>
          <Form action={base} submit="Create key" values={{ label }} errors={errors}>
            <Field name="label" label="Which system is it for?" required hint="Such as “Ad server, nightly export”." />
          </Form>
        </section>
      </>
    ),
  })
}

function columnsFor(visit: OrganizationVisit): ListColumn<ListedIngestKey>[] {
  return [
    { title: "Key", sortBy: "label", cell: ({ label }) => <b>{label}</b>, value: ({ label }) => label },
    {
      title: "State",
      phone: "corner",
      cell: ({ revokedAt, lastUsedAt }) =>
        revokedAt !== null ? (
          <Badge tone="bad">Revoked</Badge>
        ) : lastUsedAt === null ? (
          <Badge shape="ring">Not used yet</Badge>
        ) : (
          <Badge tone="good">In use</Badge>
        ),
    },
    { title: "Starts with", cell: ({ prefix }) => <code>{prefix}…</code> },
    { title: "Created", sortBy: "created", phone: "large", cell: ({ createdAt }) => <Ago at={createdAt} /> },
    {
      title: "Last request",
      sortBy: "used",
      cell: ({ lastUsedAt }) => (lastUsedAt === null ? <span class="soft">never</span> : <Ago at={lastUsedAt} />),
    },
    {
      title: "Actions",
      phone: "actions",
      cell: ({ revokedAt, id, label }) =>
        revokedAt === null && (
          <ButtonLink
            small
            kind="quiet danger"
            href={`${baseOf(visit)}/${id}/revoke`}
            label="Revoke"
            about={`Revoke ${label}`}
          />
        ),
    },
  ]
}

async function createKey(visit: OrganizationVisit): Promise<Response> {
  const label = (await readForm(visit.request)).text("label")
  const errors = labelErrors(label)
  if (errors.label !== undefined) return keysPage(visit, label, errors)
  const { secret } = await createIngestKey(visit.context, visit.organization, label, visit.actor)
  const line = await visit.context.store.packageLines.example(visit.organization.id)
  const base = baseOf(visit)
  return showOnce(visit, `/app/o/${visit.organization.slug}`, {
    title: "Your new key",
    active: base,
    trail: [{ href: base, label: "API keys" }],
    text: "Copy it now: it is shown only once. Treat it like a password.",
    secrets: [
      { id: "key", label, text: secret },
      { id: "curl", label: "A first request", text: firstRequest(visit.origin, secret, line) },
    ],
    done: { href: base, label: "I have copied it" },
  })
}

/** A dry run, so that trying it changes nothing. */
function firstRequest(origin: string, secret: string, line: ExampleLine | null): string {
  const example = line ?? { packageId: "THE-API-PACKAGE-ID-OF-A-LINE", pricingBasis: "flat_rate" }
  return deliveryCurl(`"${origin}/api/ingest/delivery/metrics?dry_run=true"`, secret, example)
}

async function findKey(visit: OrganizationVisit): Promise<ListedIngestKey | undefined> {
  const keys = await visit.context.store.ingestKeys.list(visit.organization.id)
  return keys.find(({ id, revokedAt }) => id === param(visit, "key") && revokedAt === null)
}

function confirmRevoke(visit: OrganizationVisit, { id, label, prefix }: ListedIngestKey): Response {
  const base = baseOf(visit)
  return confirmPage(visit, {
    title: `Revoke ${label}`,
    active: base,
    question: `Revoke “${label}”?`,
    action: `${base}/${id}/revoke`,
    submit: "Revoke",
    cancel: base,
    text: (
      <>
        The key <code>{prefix}…</code> stops working at once. This cannot be undone.
      </>
    ),
  })
}

async function revokeKey(visit: OrganizationVisit, key: ListedIngestKey): Promise<Response> {
  const outcome = await revokeIngestKey(visit.context, key.id, visit.organization, visit.actor)
  if (outcome.outcome !== "done") return pageNotFound(visit)
  return goTo(visit, baseOf(visit), done(`“${outcome.label}” has been revoked and no longer works.`))
}

async function keysCsv(visit: OrganizationVisit): Promise<Response> {
  const keys = await visit.context.store.ingestKeys.list(visit.organization.id)
  const rows = askedRows(visit.url, RULES, keys).map((key) => [
    key.label,
    key.prefix,
    formatMoment(key.createdAt),
    key.lastUsedAt && formatMinute(key.lastUsedAt),
    key.revokedAt && formatMoment(key.revokedAt),
  ])
  const header = ["label", "prefix", "created", "last_used", "revoked"]
  return csv(`${visit.organization.slug}-api-keys.csv`, header, rows)
}

const KEYS = "/app/o/:org/keys"

export const keyRoutes = [
  forAdmin("GET", KEYS, (visit) => keysPage(visit)),
  forAdmin("GET", `${KEYS}.csv`, keysCsv),
  forAdmin("POST", KEYS, createKey),
  forAdmin("GET", `${KEYS}/:key/revoke`, withFound(findKey, confirmRevoke)),
  forAdmin("POST", `${KEYS}/:key/revoke`, withFound(findKey, revokeKey)),
]

interface ExampleLine {
  readonly packageId: string
  readonly pricingBasis: string
}

/** A request that reports delivery, to try in a terminal. */
export function deliveryCurl(address: string, key: string, { packageId, pricingBasis }: ExampleLine): string {
  const figure = pricingBasis === "flat_rate" ? {} : { [pricingBasis]: 1000 }
  return [
    `curl ${address} \\`,
    `  -H "Authorization: Bearer ${key}" \\`,
    `  -H "Content-Type: application/json" \\`,
    `  -d '${JSON.stringify({ items: [{ package_id: packageId, ...figure }] })}'`,
  ].join("\n")
}
