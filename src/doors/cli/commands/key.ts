import type { Command } from "commander"
import { createIngestKey } from "../../../actions/keys/create-ingest-key.ts"
import { revokeIngestKey } from "../../../actions/keys/revoke-ingest-key.ts"
import { UserError } from "../../../domain/user-error.ts"
import { type CliContext, type CommonOptions, onStore, withData } from "../context.ts"
import { print, table } from "../io.ts"
import { keyJson, keyState, readLabel, stamp } from "../keys.ts"
import { findOrganization } from "../organization.ts"

export function keyCommand(program: Command, context: CliContext): void {
  const key = program.command("key").description("manage ingest keys, which sellers' systems use to report figures")
  addCreate(key, context)
  addList(key, context)
  addRevoke(key, context)
}

function addCreate(key: Command, context: CliContext): void {
  withData(key.command("create"))
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
      const json = keys.map((one) => ({ ...keyJson(one), organization: one.organization }))
      const rows = keys.map((one) => [
        one.prefix,
        one.organization,
        one.label,
        stamp(one.createdAt),
        stamp(one.lastUsedAt),
        keyState(one),
        one.id,
      ])
      const header = ["PREFIX", "ORGANIZATION", "LABEL", "CREATED", "LAST USED", "STATE", "ID"]
      print(context.io, options, json, table(header, rows, 'No ingest keys yet. Create one: "adbooth key create".'))
    })
}

function addRevoke(key: Command, context: CliContext): void {
  withData(key.command("revoke"))
    .description("revoke a key at once, also in a running server")
    .argument("<ID_OR_PREFIX>", "as shown by key list")
    .action(async (idOrPrefix: string, options: CommonOptions) => {
      const change = await onStore(context, options, (on) => revokeIngestKey(on, idOrPrefix, null, "command"))
      if (change.outcome === "not found")
        throw new UserError(`There is no active ingest key "${idOrPrefix}". "adbooth key list" shows them.`)
      const { id, label } = change
      print(context.io, options, { id, label, revoked: true }, `Revoked: ${label}. Requests with it now get 401.\n`)
    })
}
