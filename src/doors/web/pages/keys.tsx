import { createIngestKey } from "../../../actions/keys/create-ingest-key.ts"
import { revokeIngestKey } from "../../../actions/keys/revoke-ingest-key.ts"
import { labelErrors } from "../../../domain/keys/key-label.ts"
import { formatMinute, formatMoment } from "../../../domain/time/moment.ts"
import type { ListedIngestKey } from "../../../storage/port/store.ts"
import { csv } from "../csv.ts"
import { type Errors, readForm } from "../form.ts"
import { Field } from "../parts/field.tsx"
import { Confirm, Form } from "../parts/form.tsx"
import { Ago, Time } from "../parts/format.tsx"
import { type Column, Table } from "../parts/table.tsx"
import { Badge, Copyable, Empty, Heading } from "../parts/widgets.tsx"
import { done, goTo, page } from "../respond.ts"
import { forAdmin } from "../route.ts"
import { type OrganizationVisit, param } from "../visit.ts"
import { pageNotFound } from "./refusals.tsx"

const baseOf = ({ organization }: OrganizationVisit) => `/app/o/${organization.slug}/keys`

async function keysPage(visit: OrganizationVisit, label = "", errors: Errors = {}): Promise<Response> {
  const base = baseOf(visit)
  const keys = await visit.context.store.ingestKeys.list(visit.organization.id)
  return page(visit, {
    title: "API keys",
    active: base,
    status: Object.keys(errors).length > 0 ? 422 : 200,
    body: (
      <>
        <Heading
          title="API keys"
          actions={
            keys.length > 0 && (
              <a class="button quiet" href={`${base}.csv`}>
                Download CSV
              </a>
            )
          }
        >
          <p class="soft">
            With a key, your systems report delivery and affiliate figures for {visit.organization.name}.
          </p>
        </Heading>
        {keys.length === 0 ? (
          <Empty title="No keys yet">
            <p>Make one for each system that reports, so that you can revoke one without stopping the others.</p>
          </Empty>
        ) : (
          <Table caption="API keys" columns={columnsFor(visit)} rows={keys} rowKey={({ id }) => id} />
        )}
        <section class="card narrow">
          <h2>New key</h2>
          <Form action={base} submit="Create the key" errors={errors}>
            <Field
              name="label"
              label="Label"
              value={label}
              required
              errors={errors}
              hint="The system that uses it, such as “Ad server, nightly export”."
            />
          </Form>
        </section>
      </>
    ),
  })
}

function columnsFor(visit: OrganizationVisit): Column<ListedIngestKey>[] {
  const zone = visit.organization.timeZone
  return [
    { title: "Label", cell: ({ label }) => label },
    { title: "Prefix", cell: ({ prefix }) => <code>{prefix}…</code> },
    { title: "Created", cell: ({ createdAt }) => <Time at={createdAt} zone={zone} /> },
    {
      title: "Last used",
      cell: ({ lastUsedAt }) =>
        lastUsedAt === null ? <span class="soft">never</span> : <Ago at={lastUsedAt} zone={zone} now={visit.now} />,
    },
    {
      title: "State",
      cell: ({ revokedAt, id, label }) =>
        revokedAt === null ? (
          <a href={`${baseOf(visit)}/${id}/revoke`} aria-label={`Revoke ${label}`}>
            Revoke
          </a>
        ) : (
          <Badge tone="bad">Revoked</Badge>
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
  return page(visit, {
    title: "Your new key",
    active: base,
    body: (
      <>
        <Heading title="Your new key" trail={[{ href: base, label: "API keys" }]} />
        <section class="card wide">
          <p>Copy it now. It is shown this once: we keep only a fingerprint. Treat it like a password.</p>
          <Copyable id="key" label={label} text={secret} />
          <Copyable id="curl" label="A first request" text={firstRequest(visit.origin, secret, line)} />
          <p>
            <a class="button primary" href={base}>
              I have copied it
            </a>
          </p>
        </section>
      </>
    ),
  })
}

interface SomeLine {
  readonly packageId: string
  readonly pricingBasis: string
}

/** Asks for a dry run, so that trying it changes nothing. */
function firstRequest(origin: string, secret: string, line: SomeLine | null): string {
  const figure = line === null || line.pricingBasis === "flat_rate" ? {} : { [line.pricingBasis]: 1000 }
  const item = { package_id: line?.packageId ?? "THE-API-PACKAGE-ID-OF-A-LINE", ...figure }
  return [
    `curl "${origin}/api/ingest/delivery/metrics?dry_run=true" \\`,
    `  -H "Authorization: Bearer ${secret}" \\`,
    `  -H "Content-Type: application/json" \\`,
    `  -d '${JSON.stringify({ items: [item] })}'`,
  ].join("\n")
}

async function findKey(visit: OrganizationVisit): Promise<ListedIngestKey | undefined> {
  const keys = await visit.context.store.ingestKeys.list(visit.organization.id)
  return keys.find(({ id, revokedAt }) => id === param(visit, "key") && revokedAt === null)
}

async function confirmRevoke(visit: OrganizationVisit): Promise<Response> {
  const key = await findKey(visit)
  if (key === undefined) return pageNotFound(visit)
  const base = baseOf(visit)
  return page(visit, {
    title: `Revoke ${key.label}`,
    active: base,
    body: (
      <Confirm
        title={`Revoke “${key.label}”?`}
        action={`${base}/${key.id}/revoke`}
        submit="Revoke it now"
        cancel={base}
      >
        <p>
          The key <code>{key.prefix}…</code> stops working at once. Whatever uses it gets refused until it has a new
          one. This cannot be undone.
        </p>
      </Confirm>
    ),
  })
}

async function revokeKey(visit: OrganizationVisit): Promise<Response> {
  const key = await findKey(visit)
  if (key === undefined) return pageNotFound(visit)
  const outcome = await revokeIngestKey(visit.context, key.id, visit.organization, visit.actor)
  if (outcome.outcome !== "done") return pageNotFound(visit)
  return goTo(visit, baseOf(visit), done(`“${outcome.label}” is revoked. It stopped working just now.`))
}

async function keysCsv(visit: OrganizationVisit): Promise<Response> {
  const keys = await visit.context.store.ingestKeys.list(visit.organization.id)
  const at = (moment: number | null) => (moment === null ? null : formatMoment(moment))
  return csv(
    `${visit.organization.slug}-api-keys.csv`,
    ["label", "prefix", "created", "last_used", "revoked"],
    keys.map((key) => [
      key.label,
      key.prefix,
      at(key.createdAt),
      key.lastUsedAt && formatMinute(key.lastUsedAt),
      at(key.revokedAt),
    ]),
  )
}

const KEYS = "/app/o/:org/keys"

export const keyRoutes = [
  forAdmin("GET", KEYS, (visit) => keysPage(visit)),
  forAdmin("GET", `${KEYS}.csv`, keysCsv),
  forAdmin("POST", KEYS, createKey),
  forAdmin("GET", `${KEYS}/:key/revoke`, confirmRevoke),
  forAdmin("POST", `${KEYS}/:key/revoke`, revokeKey),
]
