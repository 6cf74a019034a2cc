import type { Command } from "commander"
import { createIngestKey } from "../../../actions/keys/create-ingest-key.ts"
import { revokeIngestKey } from "../../../actions/keys/revoke-ingest-key.ts"
import { KeyLabel } from "../../../domain/keys/key-label.ts"
import { UserError } from "../../../domain/user-error.ts"
import { type CliContext, type CommonOptions, onStore, withData } from "../context.ts"
import { printJson, table } from "../io.ts"
import { keyJson, keyState, readLabel, stamp } from "../keys.ts"
import { findOrganization } from "../organization.ts"

export function keyCommand(program: Command, context: CliContext): void {
  const key = program.command("key").description("ingest keys: what sellers' systems report with")

  withData(key.command("create"))
    .description("make a key for an organization; it is shown once")
    .requiredOption("--org <SLUG>", "the organization that the key acts for")
    .requiredOption("--label <TEXT>", "what uses it, such as the name of a system")
    .action(async (options: CommonOptions & { org: string; label: string }) => {
      const label = readLabel(KeyLabel, options.label)
      const made = await onStore(context, options, { create: false }, async (on) =>
        createIngestKey(on, await findOrganization(on.store, options.org), label, "command"),
      )
      const { id, prefix } = made.record
      if (options.json) printJson(context.io, { id, key: made.secret, prefix, label, organization: options.org })
      else {
        context.io.out(`${made.secret}\n`)
        context.io.err("Keep it like a password: it is shown only now.\n")
      }
    })

  withData(key.command("list"))
    .description("keys with when they were made and last used")
    .option("--org <SLUG>", "only keys of this organization")
    .action(async (options: CommonOptions & { org?: string }) => {
      const keys = await onStore(context, options, { create: false }, async ({ store }) => {
        const owner = options.org === undefined ? null : await findOrganization(store, options.org)
        return store.ingestKeys.list(owner?.id ?? null)
      })
      if (options.json)
        printJson(
          context.io,
          keys.map((one) => ({ ...keyJson(one), organization: one.organization })),
        )
      else if (keys.length === 0) context.io.out('There are no ingest keys yet: "adbooth key create".\n')
      else {
        const rows = keys.map((one) => [
          one.prefix,
          one.organization,
          one.label,
          stamp(one.createdAt),
          stamp(one.lastUsedAt),
          keyState(one),
          one.id,
        ])
        context.io.out(table(["PREFIX", "ORGANIZATION", "LABEL", "CREATED", "LAST USED", "STATE", "ID"], rows))
      }
    })

  withData(key.command("revoke"))
    .description("stop a key at once, also in a running server")
    .argument("<ID_OR_PREFIX>", "as shown by key list")
    .action(async (idOrPrefix: string, options: CommonOptions) => {
      const change = await onStore(context, options, { create: false }, (on) =>
        revokeIngestKey(on, idOrPrefix, null, "command"),
      )
      if (change.outcome === "not found")
        throw new UserError(`There is no active ingest key "${idOrPrefix}". "adbooth key list" shows them.`)
      if (options.json) printJson(context.io, { id: change.id, label: change.label, revoked: true })
      else context.io.out(`Revoked: ${change.label}. Requests with it get 401 from now on.\n`)
    })
}
