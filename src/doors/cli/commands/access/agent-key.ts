import type { Command } from "commander"
import { createAgentKey, revokeAgentKey } from "../../../../actions/keys/agent-keys.ts"
import { closeProduct, openProduct } from "../../../../actions/keys/openings.ts"
import { normalTerritories, readTerritories } from "../../../../domain/keys/opening.ts"
import { UserError } from "../../../../domain/user-error.ts"
import type { AgentKeyReads } from "../../../../storage/port/store.ts"
import { type CliContext, type CommonOptions, onStore, withData } from "../../context.ts"
import { explained } from "../../help/help.ts"
import { print } from "../../io.ts"
import { keyColour, keyJson, keyState, noAgentKey, readLabel, stamp } from "../../keys.ts"
import { type List, printList } from "../../output/print-list.ts"
import { UsageError } from "../../usage-error.ts"
import { addPreview } from "./agent-key-preview.ts"

export function agentKeyCommand(program: Command, context: CliContext): void {
  const key = program
    .command("agent-key")
    .summary("manage buyers' keys for the sales agent")
    .description("manage agent keys, which buyers' agents use to see your products")
  explained(key, {
    examples: [
      ['agent-key create --label "Buyer X"'],
      ["agent-key open aba_Xk3f9Qp1 morning-preroll --territories DE,AT"],
      ['agent-key preview aba_Xk3f9Qp1 --brief "podcasts in Austria"'],
      ["agent-key list"],
      ["agent-key close aba_Xk3f9Qp1 morning-preroll"],
      ["agent-key revoke aba_Xk3f9Qp1"],
    ],
  })
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

const KEYS: List<AgentKey> = {
  columns: [
    { title: "PREFIX", text: ({ prefix }) => prefix },
    { title: "LABEL", text: ({ label }) => label, shrinks: true },
    { title: "STATE", text: keyState, colour: keyColour },
    { title: "OPENED", text: ({ openings }) => openings.map(openingText).join(", ") || "nothing", shrinks: true },
    { title: "LAST USED", text: ({ lastUsedAt }) => stamp(lastUsedAt), optional: 1 },
    { title: "CREATED", text: ({ createdAt }) => stamp(createdAt), optional: 2 },
  ],
  asJson: (key) => ({
    ...keyJson(key),
    opened: key.openings.map(({ productId, territories }) => ({ product_id: productId, territories })),
  }),
  empty: 'No agent keys yet. Create one: adbooth agent-key create --label "Buyer"',
}

type AgentKey = Awaited<ReturnType<AgentKeyReads["list"]>>[number]

const openingText = ({ productId, territories }: AgentKey["openings"][number]) =>
  `${productId} (${territories.join(",")})`

function addList(key: Command, context: CliContext): void {
  withData(key.command("list"))
    .description("list keys with the products open to each")
    .action(async (options: CommonOptions) => {
      const keys = await onStore(context, options, ({ store }) => store.agentKeys.list())
      printList(context.io, options, keys, KEYS)
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
  const open = withData(key.command("open"))
    .description("open a product to a key, or change its territories")
    .argument("<ID_OR_PREFIX>", "as shown by agent-key list")
    .argument("<PRODUCT_ID>", "as shown by product list")
    .requiredOption("--territories <CODES>", "ISO 3166-1 codes such as DE,AT, or * for everywhere")
    .action(async (idOrPrefix: string, productId: string, options: CommonOptions & { territories: string }) => {
      const territories = territoriesFrom(options.territories)
      const change = await onStore(context, options, (on) =>
        openProduct(on, idOrPrefix, { productId, territories }, "command"),
      )
      if (change.outcome === "not found") throw noAgentKey(idOrPrefix)
      if (change.outcome === "no product")
        throw new UserError(`There is no product "${productId}". "adbooth product list" shows them.`)
      const { id, label } = change
      const where = territories.includes("*") ? "everywhere" : `in ${territories.join(", ")}`
      const json = { id, label, product_id: productId, territories }
      print(context.io, options, json, `${productId} is open to ${label} ${where}.\n`)
    })
  explained(open, {
    examples: [
      ["agent-key open aba_Xk3f9Qp1 morning-preroll --territories DE,AT"],
      ["agent-key open aba_Xk3f9Qp1 morning-preroll --territories '*'", "everywhere"],
    ],
  })
}

function addClose(key: Command, context: CliContext): void {
  withData(key.command("close"))
    .description("close a product to a key")
    .argument("<ID_OR_PREFIX>", "as shown by agent-key list")
    .argument("<PRODUCT_ID>", "as shown by agent-key list")
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
