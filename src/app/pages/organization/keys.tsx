import { createKey, revokeKey } from "../../../actions/keys.ts"
import { publicUrl } from "../../../actions/mail.ts"
import { type ApiKey, keysOf } from "../../../storage/keys.ts"
import { goTo } from "../../flash.ts"
import { askFirst } from "../../forms/ask.tsx"
import type { FormOf } from "../../forms/form.ts"
import { showOnce } from "../../forms/once.tsx"
import type { List } from "../../list.ts"
import { AskLink, ButtonLink, Empty } from "../../parts/blocks.tsx"
import { Field } from "../../parts/fields.tsx"
import { Form } from "../../parts/form.tsx"
import { Ago } from "../../parts/format.tsx"
import { KEY_COLUMNS, KEY_STATES } from "../../parts/keys.tsx"
import { ListView } from "../../parts/list.tsx"
import { actionsColumn } from "../../parts/table.tsx"
import { homeOf, type MemberVisit, orNotFound } from "../../visit.ts"

const keysAddress = (visit: MemberVisit) => `${homeOf(visit)}/keys`

async function findKeys({ context, read, organization }: MemberVisit): Promise<readonly ApiKey[]> {
  // The list also knows the request that was just answered.
  await context.database.later.flush()
  return keysOf(read, organization.id)
}

/** The API keys of an organization, and a form that creates another one. */
export const keysForm: FormOf<MemberVisit, readonly ApiKey[]> = {
  find: findKeys,
  view: (visit, keys) => ({
    title: "API keys",
    intro: `One key for each system that sends totals to ${visit.organization.name}.`,
    actions: <ButtonLink kind="primary" icon="plus" href="#new-key" label="New key" />,
    hasTimes: keys.length > 0,
    body: (
      <>
        <ListView list={keyList(visit)} rows={keys} url={visit.url} />
        <section class="card form-card" id="new-key">
          <h2>New key</h2>
          <Form submit="Create key">
            <Field name="label" label="Which system is it for?" hint="Such as “Ad server, nightly export”." required />
          </Form>
        </section>
      </>
    ),
  }),
  async save(visit, _, { label = "" }) {
    const { context, actor, organization } = visit
    const created = await createKey(context, actor, { organizationId: organization.id, label })
    if ("errors" in created) return created
    return showOnce(visit, {
      title: "Your new key",
      trail: [{ href: keysAddress(visit), label: "API keys" }],
      text: "It’s shown only once. Treat it like a password.",
      secrets: [
        { id: "key", label: "API key", text: created.key },
        { id: "request", label: "A first request, which changes nothing", text: firstRequest(visit, created.key) },
      ],
    })
  },
}

/** A dry run to paste into a terminal. */
const firstRequest = ({ context }: MemberVisit, key: string): string =>
  [
    `curl "${publicUrl(context)}/api/ingest/delivery/metrics?dry_run=true" \\`,
    `  -H "Authorization: Bearer ${key}" \\`,
    '  -H "Content-Type: application/json" \\',
    `  -d '{"items": [{"package_id": "YOUR-LINE-ID", "impressions": 1000}]}'`,
  ].join("\n")

const keyList = (visit: MemberVisit): List<ApiKey> => ({
  name: "keys",
  searched: "labels and first characters",
  textsOf: ({ label, prefix }) => [label, prefix],
  states: KEY_STATES,
  columns: [
    { title: "Key", cell: ({ label }) => <b>{label}</b>, sort: ({ label }) => label },
    KEY_COLUMNS.state,
    KEY_COLUMNS.prefix,
    { title: "Created", cell: ({ createdAt }) => <Ago at={createdAt} />, sort: ({ createdAt }) => createdAt },
    KEY_COLUMNS.lastUsed,
    actionsColumn(
      ({ label, prefix, revokedAt }) =>
        revokedAt === null && (
          <AskLink href={`${keysAddress(visit)}/${prefix}/revoke`} label="Revoke" about={`Revoke ${label}`} />
        ),
    ),
  ],
  empty: (
    <Empty title="No keys yet" text="Create one for each system, so you can revoke it without stopping the others." />
  ),
})

export const revokeKeyForm = askFirst({
  async find(visit: MemberVisit) {
    const keys = await findKeys(visit)
    return orNotFound(keys.find(({ prefix, revokedAt }) => prefix === visit.params["key"] && revokedAt === null))
  },
  ask: (visit, { label }) => ({
    title: `Revoke “${label}”?`,
    text: "The system that uses it can no longer send totals. This can’t be undone, but you can create a new key.",
    submit: "Revoke",
    cancel: keysAddress(visit),
  }),
  async act(visit, { label, prefix }) {
    const { context, actor, organization } = visit
    orNotFound(await revokeKey(context, actor, { organizationId: organization.id, prefix }))
    return goTo(visit, keysAddress(visit), `“${label}” is revoked and no longer works.`)
  },
})
