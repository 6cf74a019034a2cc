import type { Command } from "commander"
import { closeProduct } from "../../../actions/keys/close-product.ts"
import { createAgentKey } from "../../../actions/keys/create-agent-key.ts"
import { openProduct } from "../../../actions/keys/open-product.ts"
import { revokeAgentKey } from "../../../actions/keys/revoke-agent-key.ts"
import { KeyLabel } from "../../../domain/keys/key-label.ts"
import { normalTerritories, readTerritories } from "../../../domain/keys/opening.ts"
import { UserError } from "../../../domain/user-error.ts"
import { type CliContext, type CommonOptions, onStore, withData } from "../context.ts"
import { printJson, table } from "../io.ts"
import { keyJson, keyState, readLabel, stamp } from "../keys.ts"
import { UsageError } from "../usage-error.ts"
import { addPreview } from "./agent-key-preview.ts"

export function agentKeyCommand(program: Command, context: CliContext): void {
  const key = program.command("agent-key").description("agent keys: what buyers' agents see your products with")
  addCreate(key, context)
  addList(key, context)
  addRevoke(key, context)
  addOpen(key, context)
  addClose(key, context)
  addPreview(key, context)
}

function addCreate(key: Command, context: CliContext): void {
  withData(key.command("create"))
    .description("make a key for a buyer; it is shown once")
    .requiredOption("--label <TEXT>", "who gets it; a label means one active key")
    .action(async (options: CommonOptions & { label: string }) => {
      const label = readLabel(KeyLabel, options.label)
      const made = await onStore(context, options, { create: false }, (on) => createAgentKey(on, label, "command"))
      if (made === null)
        throw new UserError(`An active agent key has the label "${label}" already. Choose another, or revoke that one.`)
      const { id, prefix } = made.record
      if (options.json) printJson(context.io, { id, key: made.secret, prefix, label })
      else {
        context.io.out(`${made.secret}\n`)
        context.io.err(
          `It is shown only now. Nothing is open to it yet: adbooth agent-key open ${prefix} PRODUCT_ID --territories DE,AT\n`,
        )
      }
    })
}

function addList(key: Command, context: CliContext): void {
  withData(key.command("list"))
    .description("keys with what is open to each")
    .action(async (options: CommonOptions) => {
      const keys = await onStore(context, options, { create: false }, ({ store }) => store.agentKeys.list())
      const opened = (one: (typeof keys)[number]) =>
        one.openings.map(({ productId, territories }) => ({ product_id: productId, territories }))
      if (options.json)
        printJson(
          context.io,
          keys.map((one) => ({ ...keyJson(one), opened: opened(one) })),
        )
      else if (keys.length === 0) context.io.out('There are no agent keys yet: "adbooth agent-key create".\n')
      else {
        const rows = keys.map((one) => [
          one.prefix,
          one.label,
          stamp(one.createdAt),
          stamp(one.lastUsedAt),
          keyState(one),
          one.openings.map(({ productId, territories }) => `${productId} (${territories.join(",")})`).join(", ") ||
            "nothing",
        ])
        context.io.out(table(["PREFIX", "LABEL", "CREATED", "LAST USED", "STATE", "OPENED"], rows))
      }
    })
}

function addRevoke(key: Command, context: CliContext): void {
  withData(key.command("revoke"))
    .description("stop a key at once, also in a running server")
    .argument("<ID_OR_PREFIX>", "as shown by agent-key list")
    .action(async (idOrPrefix: string, options: CommonOptions) => {
      const change = await onStore(context, options, { create: false }, (on) =>
        revokeAgentKey(on, idOrPrefix, "command"),
      )
      if (change.outcome === "not found") throw noKey(idOrPrefix)
      if (options.json) printJson(context.io, { id: change.id, label: change.label, revoked: true })
      else context.io.out(`Revoked: ${change.label}. Calls with it get 401 from now on.\n`)
    })
}

function addOpen(key: Command, context: CliContext): void {
  withData(key.command("open"))
    .description("open a product to a key, or change its territories")
    .argument("<ID_OR_PREFIX>", "as shown by agent-key list")
    .argument("<PRODUCT_ID>", "the product to open")
    .requiredOption("--territories <CODES>", "ISO 3166-1 codes such as DE,AT, or * for everywhere")
    .action(async (idOrPrefix: string, productId: string, options: CommonOptions & { territories: string }) => {
      const territories = territoriesFrom(options.territories)
      const change = await onStore(context, options, { create: false }, (on) =>
        openProduct(on, idOrPrefix, { productId, territories }, "command"),
      )
      if (change.outcome === "not found") throw noKey(idOrPrefix)
      if (change.outcome === "no product")
        throw new UserError(`There is no product "${productId}". "adbooth export" shows the catalogue.`)
      if (options.json)
        printJson(context.io, { id: change.id, label: change.label, product_id: productId, territories })
      else
        context.io.out(
          `${productId} is open to ${change.label} ${territories.includes("*") ? "everywhere" : `in ${territories.join(", ")}`}.\n`,
        )
    })
}

function addClose(key: Command, context: CliContext): void {
  withData(key.command("close"))
    .description("take a product back from a key")
    .argument("<ID_OR_PREFIX>", "as shown by agent-key list")
    .argument("<PRODUCT_ID>", "the product to close")
    .action(async (idOrPrefix: string, productId: string, options: CommonOptions) => {
      const change = await onStore(context, options, { create: false }, (on) =>
        closeProduct(on, idOrPrefix, productId, "command"),
      )
      if (change.outcome === "not found") throw noKey(idOrPrefix)
      if (change.outcome === "not open") throw new UserError(`"${productId}" is not open to that key.`)
      if (options.json)
        printJson(context.io, { id: change.id, label: change.label, product_id: productId, closed: true })
      else context.io.out(`${productId} is closed to ${change.label}.\n`)
    })
}

function noKey(idOrPrefix: string): UserError {
  return new UserError(`There is no active agent key "${idOrPrefix}". "adbooth agent-key list" shows them.`)
}

function territoriesFrom(text: string): string[] {
  const read = readTerritories(text)
  if (!read.ok) throw new UsageError(`--territories has ${read.message}`)
  if (read.codes.length === 0) {
    throw new UsageError("--territories needs at least one country code, or * for everywhere.")
  }
  return normalTerritories(read.codes)
}
