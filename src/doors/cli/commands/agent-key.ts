import type { Command } from "commander"
import { closeProduct } from "../../../actions/keys/close-product.ts"
import { createAgentKey } from "../../../actions/keys/create-agent-key.ts"
import { openProduct } from "../../../actions/keys/open-product.ts"
import { revokeAgentKey } from "../../../actions/keys/revoke-agent-key.ts"
import { normalTerritories, readTerritories } from "../../../domain/keys/opening.ts"
import { UserError } from "../../../domain/user-error.ts"
import { type CliContext, type CommonOptions, onStore, withData } from "../context.ts"
import { print, table } from "../io.ts"
import { keyJson, keyState, noAgentKey, readLabel, stamp } from "../keys.ts"
import { UsageError } from "../usage-error.ts"
import { addPreview } from "./agent-key-preview.ts"

export function agentKeyCommand(program: Command, context: CliContext): void {
  const key = program
    .command("agent-key")
    .description("manage agent keys, which buyers' agents use to see your products")
  addCreate(key, context)
  addList(key, context)
  addRevoke(key, context)
  addOpen(key, context)
  addClose(key, context)
  addPreview(key, context)
}

function addCreate(key: Command, context: CliContext): void {
  withData(key.command("create"))
    .description("create a key for a buyer; it is shown once")
    .requiredOption("--label <TEXT>", "who gets the key; unique among active keys")
    .action(async (options: CommonOptions & { label: string }) => {
      const label = readLabel(options.label)
      const made = await onStore(context, options, (on) => createAgentKey(on, label, "command"))
      if (made === null)
        throw new UserError(`An active agent key already has the label "${label}". Choose another, or revoke that key.`)
      const { id, prefix } = made.record
      print(context.io, options, { id, key: made.secret, prefix, label }, `${made.secret}\n`)
      if (options.json) return
      context.io.err(
        `It is shown only now. It sees no products yet: adbooth agent-key open ${prefix} PRODUCT_ID --territories DE,AT\n`,
      )
    })
}

function addList(key: Command, context: CliContext): void {
  withData(key.command("list"))
    .description("list keys with the products open to each")
    .action(async (options: CommonOptions) => {
      const keys = await onStore(context, options, ({ store }) => store.agentKeys.list())
      const json = keys.map((one) => ({
        ...keyJson(one),
        opened: one.openings.map(({ productId, territories }) => ({ product_id: productId, territories })),
      }))
      const rows = keys.map((one) => [
        one.prefix,
        one.label,
        stamp(one.createdAt),
        stamp(one.lastUsedAt),
        keyState(one),
        one.openings.map(({ productId, territories }) => `${productId} (${territories.join(",")})`).join(", ") ||
          "nothing",
      ])
      const header = ["PREFIX", "LABEL", "CREATED", "LAST USED", "STATE", "OPENED"]
      print(
        context.io,
        options,
        json,
        table(header, rows, 'No agent keys yet. Create one: "adbooth agent-key create".'),
      )
    })
}

function addRevoke(key: Command, context: CliContext): void {
  withData(key.command("revoke"))
    .description("revoke a key at once, also in a running server")
    .argument("<ID_OR_PREFIX>", "as shown by agent-key list")
    .action(async (idOrPrefix: string, options: CommonOptions) => {
      const change = await onStore(context, options, (on) => revokeAgentKey(on, idOrPrefix, "command"))
      if (change.outcome === "not found") throw noAgentKey(idOrPrefix)
      const { id, label } = change
      print(context.io, options, { id, label, revoked: true }, `Revoked: ${label}. Calls with it now get 401.\n`)
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
      const change = await onStore(context, options, (on) =>
        openProduct(on, idOrPrefix, { productId, territories }, "command"),
      )
      if (change.outcome === "not found") throw noAgentKey(idOrPrefix)
      if (change.outcome === "no product")
        throw new UserError(`There is no product "${productId}". "adbooth export" shows the catalogue.`)
      const { id, label } = change
      const where = territories.includes("*") ? "everywhere" : `in ${territories.join(", ")}`
      const json = { id, label, product_id: productId, territories }
      print(context.io, options, json, `${productId} is open to ${label} ${where}.\n`)
    })
}

function addClose(key: Command, context: CliContext): void {
  withData(key.command("close"))
    .description("close a product to a key")
    .argument("<ID_OR_PREFIX>", "as shown by agent-key list")
    .argument("<PRODUCT_ID>", "the product to close")
    .action(async (idOrPrefix: string, productId: string, options: CommonOptions) => {
      const change = await onStore(context, options, (on) => closeProduct(on, idOrPrefix, productId, "command"))
      if (change.outcome === "not found") throw noAgentKey(idOrPrefix)
      if (change.outcome === "not open") throw new UserError(`"${productId}" is not open to that key.`)
      const { id, label } = change
      const json = { id, label, product_id: productId, closed: true }
      print(context.io, options, json, `${productId} is closed to ${label}.\n`)
    })
}

function territoriesFrom(text: string): string[] {
  const read = readTerritories(text)
  if (!read.ok) throw new UsageError(`--territories has ${read.message}`)
  if (read.codes.length === 0) {
    throw new UsageError("--territories needs at least one country code, or * for everywhere.")
  }
  return normalTerritories(read.codes)
}
