import type { Command } from "commander"
import { createIngestKey, revokeIngestKey } from "../../../actions/keys/ingest-keys.ts"
import { UserError } from "../../../domain/user-error.ts"
import type { ListedIngestKey } from "../../../storage/port/store.ts"
import {
  type AskingOptions,
  type CliContext,
  type CommonOptions,
  confirmed,
  onStore,
  withData,
  withDataAndQuestion,
} from "../context.ts"
import { explained } from "../help.ts"
import { print } from "../io.ts"
import { keyColour, keyJson, keyState, readLabel, stamp } from "../keys.ts"
import { type List, printList } from "../output/table.ts"
import { findOrganization } from "../stored.ts"

export function keyCommand(program: Command, context: CliContext): void {
  const key = program
    .command("key")
    .summary("manage sellers' keys for the ingest API")
    .description("manage ingest keys, which sellers' systems use to report figures")
  explained(key, {
    examples: [
      ['key create --org acme-audio --label "Ad server"'],
      ["key list --org acme-audio"],
      ["key revoke abi_Xk3f9Qp1"],
    ],
  })
  addCreate(key, context)
  addList(key, context)
  addRevoke(key, context)
}

function addCreate(key: Command, context: CliContext): void {
  const create = withData(key.command("create"))
    .description("create a key for an organization; it is shown once")
    .requiredOption("--org <SLUG>", "the organization that the key acts for")
    .requiredOption("--label <TEXT>", "what uses the key, such as the name of a system")
    .action(async (options: CommonOptions & { org: string; label: string }) => {
      const label = readLabel(options.label)
      const made = await onStore(context, options, async (on) =>
        createIngestKey(on, await findOrganization(on.store, options.org), label, "command"),
      )
      const { id, prefix } = made.record
      const json = { id, key: made.secret, prefix, label, organization: options.org }
      print(context.io, options, json, `${made.secret}\n`)
      if (!options.json) context.io.err("Keep it secret, like a password: it is shown only now.\n")
    })
  explained(create, {
    examples: [
      ['key create --org acme-audio --label "Ad server"'],
      ['key create --org acme-audio --label "Ad server" > key.txt', "only the key goes to the file"],
    ],
  })
}

const KEYS: List<ListedIngestKey> = {
  columns: [
    { title: "PREFIX", text: ({ prefix }) => prefix },
    { title: "ORGANIZATION", text: ({ organization }) => organization, shrinks: true },
    { title: "LABEL", text: ({ label }) => label, shrinks: true },
    { title: "STATE", text: keyState, colour: keyColour },
    { title: "LAST USED", text: ({ lastUsedAt }) => stamp(lastUsedAt), optional: 1 },
    { title: "CREATED", text: ({ createdAt }) => stamp(createdAt), optional: 2 },
    { title: "ID", text: ({ id }) => id, optional: 3 },
  ],
  asJson: (key) => ({ ...keyJson(key), organization: key.organization }),
  empty: 'No ingest keys yet. Create one: adbooth key create --org SLUG --label "Ad server"',
}

function addList(key: Command, context: CliContext): void {
  withData(key.command("list"))
    .description("list keys with when they were created and last used")
    .option("--org <SLUG>", "only keys of this organization")
    .action(async (options: CommonOptions & { org?: string }) => {
      const keys = await onStore(context, options, async ({ store }) => {
        const owner = options.org === undefined ? null : await findOrganization(store, options.org)
        return store.ingestKeys.list(owner?.id ?? null)
      })
      printList(context.io, options, keys, KEYS)
    })
}

function addRevoke(key: Command, context: CliContext): void {
  withDataAndQuestion(key.command("revoke"))
    .description("revoke a key at once, also in a running server")
    .argument("<ID_OR_PREFIX>", "as shown by key list")
    .action(async (idOrPrefix: string, options: AskingOptions) => {
      await confirmed(context, options, `Revoke ${idOrPrefix}? Whatever sends totals with it is refused at once.`)
      const change = await onStore(context, options, (on) => revokeIngestKey(on, idOrPrefix, null, "command"))
      if (change.outcome === "not found")
        throw new UserError(`There is no active ingest key "${idOrPrefix}". "adbooth key list" shows them.`)
      const { id, label } = change
      print(context.io, options, { id, label, revoked: true }, `Revoked: ${label}. Requests with it now get 401.\n`)
    })
}
