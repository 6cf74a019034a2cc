import { createIngestKey, revokeIngestKey } from "../../../actions/keys/keys.ts"
import { UserError } from "../../../domain/user-error.ts"
import type { ListedIngestKey } from "../../../storage/port/store.ts"
import { group, lists, onData, says } from "../command.ts"
import type { List } from "../output/table.ts"
import { CREATED, findOrganization, LAST_USED, organizationOf, readLabel, revokedJson, STATE } from "../stored.ts"

const CREATE = onData("create", "create a key for an organization; it is shown once", {
  needs: {
    "--org <SLUG>": "the organization that the key acts for",
    "--label <TEXT>": "what uses the key, such as the name of a system",
  },
  examples: [
    ['key create --org acme-audio --label "Ad server"'],
    ['key create --org acme-audio --label "Ad server" > key.txt', "only the key goes to the file"],
  ],
  reads: ({ label }) => readLabel(label),
  async run({ options: { org }, read: label, ...on }) {
    const organization = await findOrganization(on.store, org)
    const { record, secret } = await createIngestKey(on, organization, label, "command")
    const json = { id: record.id, key: secret, prefix: record.prefix, label, organization: org }
    return says(json, secret, "Keep it secret, like a password: it is shown only once.")
  },
})

const LIST = onData("list", "list keys with when they were created and last used", {
  examples: [["key list --org acme-audio"]],
  options: { "--org <SLUG>": "only keys of this organization" },
  async run({ store, options }) {
    const owner = await organizationOf(store, options.org)
    return lists(await store.ingestKeys.list(owner?.id ?? null), KEYS)
  },
})

const REVOKE = onData("revoke <ID_OR_PREFIX>", "revoke a key at once, also in a running server", {
  examples: [["key revoke abi_Xk3f9Qp1"]],
  asks: (_, idOrPrefix) => `Revoke ${idOrPrefix}? Whatever sends totals with it is refused at once.`,
  async run(on, idOrPrefix: string) {
    const change = await revokeIngestKey(on, idOrPrefix, null, "command")
    if (change.outcome === "not found")
      throw new UserError(`There is no active API key "${idOrPrefix}". "adbooth key list" shows them.`)
    const { id, label } = change
    return says({ id, label, revoked: true }, `Revoked: ${label}. Requests with it now get 401.`)
  },
})

const KEYS: List<ListedIngestKey> = {
  columns: [
    { title: "PREFIX", value: ({ prefix }) => prefix },
    { title: "ORGANIZATION", value: ({ organization }) => organization, shrinks: true },
    { title: "LABEL", value: ({ label }) => label, shrinks: true },
    STATE,
    LAST_USED,
    CREATED,
    { title: "ID", value: ({ id }) => id, optional: 3 },
  ],
  more: revokedJson,
  empty: 'No API keys yet. Create one: adbooth key create --org SLUG --label "Ad server"',
}

export const keyCommand = group("key", "manage API keys, which sellers' systems use to report figures", {
  summary: "manage sellers' keys for the ingest API",
  below: [CREATE, LIST, REVOKE],
})
