import type { Command } from "commander"
import { createBuyerKey, revokeBuyerKey } from "../../actions/buyer-keys.ts"
import type { Context } from "../../actions/context.ts"
import { UserError } from "../../domain/errors.ts"
import { type BuyerKey, buyerKeys } from "../../storage/catalogue/buyer-keys.ts"
import { allOpenings, type KeyOpening } from "../../storage/catalogue/catalogue.ts"
import { allOrganizations } from "../../storage/organizations.ts"
import { confirm, examples, onData, organizationId, type Program, withData } from "../context.ts"
import { type Column, momentOrNull, printJson, printList, printText, say, timeColumn } from "../print.ts"
import { findKey, type RevokeOptions, unknownKey } from "./key.ts"

interface CreateOptions {
  readonly label: string
  readonly buyer?: string
  readonly json?: true
}

/** Adds `adbooth agent-key`. */
export function registerBuyerKey(root: Command, program: Program): void {
  const key = root.command("agent-key").description("manage buyer keys, which let buyers' agents see your products")
  onData(key.command("create"))
    .description("create a key for a buyer; it's printed once")
    .requiredOption("--label <text>", "who gets the key; unique among active keys")
    .option("--buyer <slug>", "organization whose purchases the key may read")
    .addHelpText("after", examples('agent-key create --label "Buyer X"'))
    .action((options: CreateOptions) => create(program, options))
  onData(key.command("list"))
    .description("list keys, with the products that each one sees")
    .addHelpText("after", examples("agent-key list"))
    .action((options: RevokeOptions) => list(program, options))
  onData(key.command("revoke"))
    .argument("<id_or_prefix>", "ID or prefix of the key, as listed")
    .description("revoke a key immediately, even while the server runs")
    .option("--yes", "don't ask for confirmation")
    .addHelpText("after", examples("agent-key revoke aba_Xk3f9Qp1"))
    .action((typed: string, options: RevokeOptions) => revoke(program, typed, options))
}

async function create(program: Program, { label, buyer, json, ...given }: CreateOptions): Promise<void> {
  const created = await withData(program, given, async (context) => {
    const buyerId = await organizationId(context, buyer)
    return createBuyerKey(context, "command", { label, buyerId })
  })
  if ("errors" in created) throw new UserError(`--label: ${created.errors["label"]}`)
  const { id, key, prefix } = created
  if (json) return printJson({ id, key, prefix, label })
  await printText(key)
  say(
    "Copy this key now; it won't be shown again. It can't see any products yet: show it some in the app or with adbooth import.",
  )
}

interface ListedKey extends BuyerKey {
  /** The slug of the organization that the key acts for. */
  readonly buyer: string | null
  readonly openings: readonly KeyOpening[]
}

async function listedKeys({ database }: Context): Promise<readonly ListedKey[]> {
  const openings = Map.groupBy(await allOpenings(database.read), ({ buyerKeyId }) => buyerKeyId)
  const slugs = new Map((await allOrganizations(database.read)).map(({ id, slug }) => [id, slug]))
  const keys = await buyerKeys(database.read)
  const buyerOf = ({ buyerId }: BuyerKey) => (buyerId === null ? null : (slugs.get(buyerId) ?? null))
  return keys.map((key) => ({ ...key, buyer: buyerOf(key), openings: openings.get(key.id) ?? [] }))
}

async function list(program: Program, { json, ...given }: RevokeOptions): Promise<void> {
  const keys = await withData(program, given, listedKeys)
  await printList(keys, COLUMNS, { json, empty: NO_KEYS })
}

const NO_KEYS = 'No buyer keys yet. Create one: adbooth agent-key create --label "Buyer X"'

const COLUMNS: readonly Column<ListedKey>[] = [
  { title: "PREFIX", value: ({ prefix }) => prefix },
  { title: "LABEL", value: ({ label }) => label, isCut: true },
  {
    title: "STATE",
    json: null,
    value: ({ revokedAt }) => (revokedAt === null ? "active" : "revoked"),
    color: ({ revokedAt }) => (revokedAt === null ? "green" : "dim"),
  },
  {
    title: "SEES",
    json: "opened",
    value: ({ openings }) => openings.map(({ productId, territories }) => ({ product_id: productId, territories })),
    text: ({ openings }) => openings.map(openingInWords).join(", ") || "nothing",
    isCut: true,
  },
  { title: "BUYER", value: ({ buyer }) => buyer, isOptional: true },
  { ...timeColumn("LAST USED", ({ lastUsedAt }: ListedKey) => lastUsedAt, "never"), isOptional: true },
  { ...timeColumn("CREATED", ({ createdAt }: ListedKey) => createdAt), isOptional: true },
  { title: "ID", value: ({ id }) => id, isOptional: true },
  { title: "REVOKED", value: ({ revokedAt }) => momentOrNull(revokedAt), text: null },
]

const openingInWords = ({ productId, territories }: KeyOpening): string => `${productId} (${territories.join(" ")})`

async function revoke(program: Program, typed: string, { yes, json, ...given }: RevokeOptions): Promise<void> {
  const { id, label, prefix } = await withData(program, given, async (context) => {
    const key = findKey(await buyerKeys(context.database.read), typed)
    if (key === null) throw new UserError(unknownKey("buyer key", typed, "agent-key"))
    await confirm(`Revoke key ${key.prefix} ("${key.label}")? The agent that uses it stops working immediately.`, yes)
    await revokeBuyerKey(context, "command", key.id)
    return key
  })
  if (json) return printJson({ id, label, revoked: true })
  await printText(`Revoked ${prefix} ("${label}"). Calls with it now get 401.`)
}
