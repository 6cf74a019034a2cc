import { createAgentKey, createIngestKey, revokeAgentKey, revokeIngestKey } from "../../../actions/keys/keys.ts"
import { KeyLabel, prefixOf } from "../../../domain/keys/api-key.ts"
import { checkFor } from "../../../domain/schema/check.ts"
import { formatMinute } from "../../../domain/time/moment.ts"
import { UserError } from "../../../domain/user-error.ts"
import type { ListedAgentKey as AgentKey, ListedIngestKey, ListedKey } from "../../../storage/port/store.ts"
import { UsageError } from "../arguments.ts"
import { group, lists, onData, says } from "../command.ts"
import { type Column, type List, momentOrNull, timeColumn } from "../output/table.ts"
import { findOrganization, organizationOf, unknown } from "../stored.ts"

function readLabel(label: string): string {
  const checked = checkFor(KeyLabel)(label)
  if (!checked.ok) throw new UsageError(checked.problems.map(({ message }) => `--label ${message}.`).join("\n"))
  return checked.value
}

/** Of a whole key, which is what somebody has who found one where it should not be, its prefix. */
const idOrPrefixIn = (typed: string): string => (/^ab[ia]_/.test(typed) ? prefixOf(typed) : typed)

// What the lists of both kinds of keys have in common.
const STATE: Column<ListedKey> = {
  title: "STATE",
  text: ({ revokedAt }) => (revokedAt === null ? "active" : "revoked"),
  colour: ({ revokedAt }) => (revokedAt === null ? "green" : "dim"),
}
// To the minute, because uses are noted together.
const LAST_USED: Column<ListedKey> = {
  title: "LAST USED",
  value: ({ lastUsedAt }) => lastUsedAt && formatMinute(lastUsedAt),
  text: ({ lastUsedAt }) => (lastUsedAt === null ? "never" : formatMinute(lastUsedAt)),
  optional: 1,
}
const CREATED = timeColumn("CREATED", ({ createdAt }: ListedKey) => createdAt, { optional: 2 })
const revokedJson = ({ revokedAt }: ListedKey) => ({ revoked: momentOrNull(revokedAt) })

const CREATE_KEY = onData("create", "create a key for an organization; it is shown once", {
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

const LIST_KEYS = onData("list", "list keys with when they were created and last used", {
  examples: [["key list --org acme-audio"]],
  options: { "--org <SLUG>": "only keys of this organization" },
  async run({ store, options }) {
    const owner = await organizationOf(store, options.org)
    return lists(await store.ingestKeys.list(owner?.id ?? null), INGEST_KEYS)
  },
})

const REVOKE_KEY = onData("revoke <ID_OR_PREFIX>", "revoke a key at once, also in a running server", {
  examples: [["key revoke abi_Xk3f9Qp1"]],
  asks: (_, typed) => `Revoke ${idOrPrefixIn(typed)}? Whatever sends totals with it is refused at once.`,
  async run(on, typed: string) {
    const idOrPrefix = idOrPrefixIn(typed)
    const change = await revokeIngestKey(on, idOrPrefix, null, "command")
    if (change.outcome === "not found") throw unknown(`active API key "${idOrPrefix}"`, "key")
    const { id, label } = change
    return says({ id, label, revoked: true }, `Revoked: ${label}. Requests with it now get 401.`)
  },
})

const INGEST_KEYS: List<ListedIngestKey> = {
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
  below: [CREATE_KEY, LIST_KEYS, REVOKE_KEY],
})

const CREATE_AGENT_KEY = onData("create", "create a key for a buyer; it is shown once", {
  examples: [['agent-key create --label "Buyer X"']],
  needs: { "--label <TEXT>": "who gets the key; unique among active keys" },
  options: { "--buyer <SLUG>": "the organization whose purchases it may read" },
  reads: ({ label }) => readLabel(label),
  async run({ options, read: label, ...on }) {
    const made = await createAgentKey(on, label, "command", await organizationOf(on.store, options.buyer))
    if (made === null)
      throw new UserError(`An active buyer's key already has the label "${label}". Choose another, or revoke that key.`)
    const { id, prefix } = made.record
    const note = "It is shown only once. It sees no products yet: open some in the app, or with adbooth import."
    return says({ id, key: made.secret, prefix, label }, made.secret, note)
  },
})

const LIST_AGENT_KEYS = onData("list", "list keys with the products shown to each", {
  examples: [["agent-key list"]],
  run: async ({ store }) => lists(await store.agentKeys.list(), AGENT_KEYS),
})

const REVOKE_AGENT_KEY = onData("revoke <ID_OR_PREFIX>", "revoke a key at once, also in a running server", {
  examples: [["agent-key revoke aba_Xk3f9Qp1"]],
  asks: (_, typed) => `Revoke ${idOrPrefixIn(typed)}? The agent that uses it is refused at once.`,
  async run(on, typed: string) {
    const idOrPrefix = idOrPrefixIn(typed)
    const change = await revokeAgentKey(on, idOrPrefix, "command")
    if (change.outcome === "not found") throw unknown(`active buyer's key "${idOrPrefix}"`, "agent-key")
    const { id, label } = change
    return says({ id, label, revoked: true }, `Revoked: ${label}. Calls with it now get 401.`)
  },
})

const AGENT_KEYS: List<AgentKey> = {
  columns: [
    { title: "PREFIX", value: ({ prefix }) => prefix },
    { title: "LABEL", value: ({ label }) => label, shrinks: true },
    STATE,
    {
      title: "SEES",
      json: "opened",
      value: ({ openings }) => openings.map(({ productId, territories }) => ({ product_id: productId, territories })),
      text: ({ openings }) => openings.map(openingText).join(", ") || "nothing",
      shrinks: true,
    },
    { title: "BUYER", value: ({ buyer }) => buyer, text: ({ buyer }) => buyer ?? "none", shrinks: true },
    LAST_USED,
    CREATED,
  ],
  more: (key) => ({ id: key.id, ...revokedJson(key) }),
  empty: "No buyers' keys yet. Create one: adbooth agent-key create --label 'Buyer'",
}

const openingText = ({ productId, territories }: AgentKey["openings"][number]) =>
  `${productId} (${territories.join(",")})`

export const agentKeyCommand = group("agent-key", "manage buyers' keys, which their agents use to see your products", {
  summary: "manage buyers' keys for the sales agent",
  below: [CREATE_AGENT_KEY, LIST_AGENT_KEYS, REVOKE_AGENT_KEY],
})
