import { createIngestKey, revokeIngestKey } from "../../../actions/keys/keys.ts"
import { labelErrors } from "../../../domain/keys/api-key.ts"
import type { ListRules } from "../../../domain/lists/list-query.ts"
import type { ListedIngestKey } from "../../../storage/port/store.ts"
import { pageNotFound } from "../error-pages.tsx"
import { type Errors, readForm } from "../form.ts"
import { askFirst, forAdmin } from "../guards.ts"
import { actionColumn, listing } from "../lists.tsx"
import { showOnce } from "../one-time-secret.tsx"
import { Badge, ButtonLink, Empty } from "../parts/blocks.tsx"
import { Field, Form } from "../parts/form/form.tsx"
import { agoColumn, type Column } from "../parts/table.tsx"
import { done, goTo, headedPage } from "../respond.tsx"
import { type OrganizationVisit, param } from "../visit.ts"

type AnyKey = Pick<ListedIngestKey, "id" | "label" | "prefix" | "createdAt" | "lastUsedAt" | "revokedAt">

export const KEY_RULES = {
  searched: ({ label, prefix }) => `${label}\n${prefix}`,
  states: { active: ({ revokedAt }) => revokedAt === null, revoked: ({ revokedAt }) => revokedAt !== null },
  sorts: { created: ({ createdAt }) => createdAt, label: ({ label }) => label, used: ({ lastUsedAt }) => lastUsedAt },
  largestFirst: ["created", "used"],
} satisfies ListRules<AnyKey>

const stateOf = ({ revokedAt, lastUsedAt }: AnyKey) =>
  revokedAt !== null ? "revoked" : lastUsedAt === null ? "unused" : "active"

const BADGES = {
  active: <Badge tone="good">In use</Badge>,
  unused: <Badge shape="ring">Not used yet</Badge>,
  revoked: <Badge tone="bad">Revoked</Badge>,
}

export const KEY_COLUMNS = {
  state: { title: "State", narrow: "corner", cell: (key) => BADGES[stateOf(key)], value: stateOf },
  prefix: { title: "Starts with", cell: ({ prefix }) => <code>{prefix}…</code>, value: ({ prefix }) => prefix },
  created: { ...agoColumn("Created", ({ createdAt }) => createdAt), sortBy: "created", narrow: "large" },
  used: { ...agoColumn("Last request", ({ lastUsedAt }) => lastUsedAt), sortBy: "used" },
} satisfies Readonly<Record<string, Column<AnyKey>>>

/** What the lists of both kinds of keys have in common. */
export const KEY_LIST = { what: "keys", searched: "keys", states: { active: "Active", revoked: "Revoked" } }

const baseOf = ({ organization }: OrganizationVisit) => `/app/o/${organization.slug}/keys`
const keysOf = ({ context, organization }: OrganizationVisit) => context.store.ingestKeys.list(organization.id)

const list = listing<OrganizationVisit, ListedIngestKey>({
  ...KEY_LIST,
  rules: KEY_RULES,
  rows: keysOf,
  columns: (visit) => [
    { title: "Key", sortBy: "label", cell: ({ label }) => <b>{label}</b>, value: ({ label }) => label },
    ...Object.values(KEY_COLUMNS),
    actionColumn({
      label: "Revoke",
      kind: "quiet danger",
      nameOf: ({ label }) => label,
      href: ({ revokedAt, id }) => (revokedAt === null ? `${baseOf(visit)}/${id}/revoke` : null),
    }),
  ],
  empty: (
    <Empty title="No keys yet" text="Create one for each system, so you can revoke it without stopping the others." />
  ),
})

const keysPage = async (visit: OrganizationVisit, label = "", errors: Errors = {}): Promise<Response> =>
  headedPage(visit, {
    title: "API keys",
    intro: `One key for each system that sends totals to ${visit.organization.name}.`,
    actions: <ButtonLink kind="primary" icon="plus" href="#new-key" label="New key" />,
    body: [
      await list.view(visit),
      <section class="card narrow" id="new-key">
        <h2>New key</h2>
        <Form action={baseOf(visit)} submit="Create key" values={{ label }} errors={errors}>
          <Field name="label" label="Which system is it for?" required hint="Such as “Ad server, nightly export”." />
        </Form>
      </section>,
    ],
  })

async function createKey(visit: OrganizationVisit): Promise<Response> {
  const label = (await readForm(visit.request)).text("label")
  const errors = labelErrors(label)
  if (errors.label !== undefined) return keysPage(visit, label, errors)
  const { secret } = await createIngestKey(visit.context, visit.organization, label, visit.actor)
  const line = await visit.context.store.packageLines.example(visit.organization.id)
  return showOnce(visit, {
    title: "Your new key",
    trail: [{ href: baseOf(visit), label: "API keys" }],
    text: "It is shown only once. Treat it like a password.",
    secrets: [
      { id: "key", label, text: secret },
      { id: "curl", label: "A first request", text: firstRequest(visit.origin, secret, line) },
    ],
    done: "I have copied it",
  })
}

/** A dry run, so that trying it changes nothing. */
function firstRequest(origin: string, secret: string, line: ExampleLine | null): string {
  const example = line ?? { packageId: "THE-LINE-ID-FOR-THE-API", pricingBasis: "flat_rate" }
  return deliveryCurl(`"${origin}/api/ingest/delivery/metrics?dry_run=true"`, secret, example)
}

const findKey = async (visit: OrganizationVisit): Promise<ListedIngestKey | undefined> =>
  (await keysOf(visit)).find(({ id, revokedAt }) => id === param(visit, "key") && revokedAt === null)

async function revokeKey(visit: OrganizationVisit, key: ListedIngestKey): Promise<Response> {
  const outcome = await revokeIngestKey(visit.context, key.id, visit.organization.id, visit.actor)
  if (outcome.outcome !== "done") return pageNotFound(visit)
  const said = `“${outcome.label}” has been revoked and no longer works.`
  return goTo(visit, baseOf(visit), done(said, `${baseOf(visit)}#new-key`, "Create a new one"))
}

const KEYS = "/app/o/:org/keys"
export const keyRoutes = [
  forAdmin("GET", KEYS, keysPage),
  forAdmin("POST", KEYS, createKey),
  ...askFirst(forAdmin, `${KEYS}/:key/revoke`, findKey, revokeKey, (visit, { id, label }) => ({
    title: `Revoke “${label}”?`,
    href: `${baseOf(visit)}/${id}/revoke`,
    submit: "Revoke",
    cancel: baseOf(visit),
    text: "The system that uses it can no longer send totals. This cannot be undone, but you can create a new key.",
  })),
]

type ExampleLine = Readonly<{ packageId: string; pricingBasis: string }>

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
