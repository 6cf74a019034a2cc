import type { Command } from "commander"
import type { Context } from "../../actions/context.ts"
import { createBuyerKey, createKey, revokeBuyerKey, revokeKey } from "../../actions/keys.ts"
import { prefixOf } from "../../domain/api-key.ts"
import { UserError } from "../../domain/errors.ts"
import { allOpenings, type KeyOpening } from "../../storage/catalogue/catalogue.ts"
import { type BuyerKey, buyerKeys, keysOf } from "../../storage/keys.ts"
import { allOrganizations } from "../../storage/organizations.ts"
import { confirm, examples, onData, organizationId, type Program, UsageError, withData } from "../context.ts"
import { type Column, momentOrNull, printJson, printList, printText, say, timeColumn } from "../print.ts"

interface KeyOptions {
  readonly label: string
  readonly org?: string
  readonly buyer?: string
  readonly yes?: true
  readonly json?: true
}

/** Adds `adbooth key`. */
export function registerKey(root: Command, program: Program): void {
  const key = root.command("key").description("manage API keys, which sellers' systems report with")
  onData(key.command("create"))
    .description("create a key for an organization; it's printed once")
    .requiredOption("--org <slug>", "organization that the key reports for")
    .requiredOption("--label <text>", "name of the system that uses the key")
    .addHelpText("after", examples('key create --org acme-audio --label "Ad server" > key.txt'))
    .action((options: KeyOptions) => create(program, options))
  onData(key.command("list"))
    .description("list keys, with when they were created and last used")
    .option("--org <slug>", "list only keys of this organization")
    .addHelpText("after", examples("key list --org acme-audio"))
    .action(async ({ org, json, ...given }: KeyOptions) => {
      const keys = await withData(program, given, async (context) =>
        keysOf(context.database.read, await organizationId(context, org)),
      )
      const empty = 'No API keys yet. Create one: adbooth key create --org SLUG --label "Ad server"'
      await printList(keys, COLUMNS, { json, empty })
    })
  revocation(key, program, API_KEYS)
}

/** Adds `adbooth agent-key`. */
export function registerBuyerKey(root: Command, program: Program): void {
  const key = root.command("agent-key").description("manage buyer keys, which let buyers' agents see your products")
  onData(key.command("create"))
    .description("create a key for a buyer; it's printed once")
    .requiredOption("--label <text>", "who gets the key; unique among active keys")
    .option("--buyer <slug>", "organization whose purchases the key may read")
    .addHelpText("after", examples('agent-key create --label "Buyer X"'))
    .action((options: KeyOptions) => createForBuyer(program, options))
  onData(key.command("list"))
    .description("list keys, with the products that each one sees")
    .addHelpText("after", examples("agent-key list"))
    .action(async ({ json, ...given }: KeyOptions) => {
      const keys = await withData(program, given, listedBuyerKeys)
      const empty = 'No buyer keys yet. Create one: adbooth agent-key create --label "Buyer X"'
      await printList(keys, BUYER_COLUMNS, { json, empty })
    })
  revocation(key, program, BUYER_KEYS)
}

async function create(program: Program, { org, label: typed, json, ...given }: KeyOptions) {
  const created = await withData(program, given, async (context) => {
    const owner = (await organizationId(context, org)) ?? 0
    return createKey(context, "command", { organizationId: owner, label: typed })
  })
  if ("errors" in created) throw new UsageError(`--label: ${created.errors.label}`)
  const { id, key, prefix, label } = created
  if (json) return printJson({ id: String(id), key, prefix, label, organization: org })
  await printText(key)
  say("Copy this key now; it won't be shown again.")
}

async function createForBuyer(program: Program, { label, buyer, json, ...given }: KeyOptions) {
  const created = await withData(program, given, async (context) =>
    createBuyerKey(context, "command", { label, buyerId: await organizationId(context, buyer) }),
  )
  if ("errors" in created) throw new UserError(`--label: ${created.errors.label}`)
  const { id, key, prefix } = created
  if (json) return printJson({ id, key, prefix, label })
  await printText(key)
  say(
    "Copy this key now; it won't be shown again. It can't see any products yet: show it some in the app or with adbooth import.",
  )
}

interface Key extends Omit<BuyerKey, "id" | "buyerId"> {
  readonly id: number | string
}

type ListedKey = Awaited<ReturnType<typeof keysOf>>[number]

interface ListedBuyerKey extends BuyerKey {
  /** The slug of the organization that the key acts for. */
  readonly buyer: string | null
  readonly openings: readonly KeyOpening[]
}

async function listedBuyerKeys({ database }: Context): Promise<readonly ListedBuyerKey[]> {
  const openings = Map.groupBy(await allOpenings(database.read), ({ buyerKeyId }) => buyerKeyId)
  const slugs = new Map((await allOrganizations(database.read)).map(({ id, slug }) => [id, slug]))
  const keys = await buyerKeys(database.read)
  const buyerOf = ({ buyerId }: BuyerKey) => (buyerId === null ? null : (slugs.get(buyerId) ?? null))
  return keys.map((key) => ({ ...key, buyer: buyerOf(key), openings: openings.get(key.id) ?? [] }))
}

const NAMED: readonly Column<Key>[] = [
  { title: "PREFIX", value: "prefix" },
  { title: "LABEL", value: "label", isCut: true },
]

const STATE: Column<Key> = {
  title: "STATE",
  json: null,
  value: ({ revokedAt }) => (revokedAt === null ? "active" : "revoked"),
}

const USED: readonly Column<Key>[] = [
  { ...timeColumn("LAST USED", ({ lastUsedAt }: Key) => lastUsedAt, "never"), isOptional: true },
  { ...timeColumn("CREATED", ({ createdAt }: Key) => createdAt), isOptional: true },
  { title: "ID", value: ({ id }) => String(id), isOptional: true },
  { title: "REVOKED", value: ({ revokedAt }) => momentOrNull(revokedAt), text: null },
]

const COLUMNS: readonly Column<ListedKey>[] = [
  ...NAMED,
  { title: "ORGANIZATION", value: "organization" },
  STATE,
  ...USED,
]

const BUYER_COLUMNS: readonly Column<ListedBuyerKey>[] = [
  ...NAMED,
  STATE,
  {
    title: "SEES",
    json: "opened",
    value: ({ openings }) => openings.map(({ productId, territories }) => ({ product_id: productId, territories })),
    text: ({ openings }) => openings.map(openingInWords).join(", ") || "nothing",
    isCut: true,
  },
  { title: "BUYER", value: "buyer", isOptional: true },
  ...USED,
]

const openingInWords = ({ productId, territories }: KeyOpening) => `${productId} (${territories.join(" ")})`

/** What `revoke` needs to know about one of the two kinds of keys. */
interface KeyKind<Found extends Key> {
  readonly name: string
  readonly example: string
  list(context: Context): Promise<readonly Found[]>
  revoke(context: Context, key: Found): Promise<boolean>
}

const API_KEYS: KeyKind<ListedKey> = {
  name: "API key",
  example: "key revoke abi_Xk3f9Qp1",
  list: ({ database }) => keysOf(database.read, null),
  revoke: (context, { prefix }) => revokeKey(context, "command", { prefix }),
}

const BUYER_KEYS: KeyKind<BuyerKey> = {
  name: "buyer key",
  example: "agent-key revoke aba_Xk3f9Qp1",
  list: ({ database }) => buyerKeys(database.read),
  revoke: (context, { id }) => revokeBuyerKey(context, "command", id),
}

/** Adds the command that revokes keys of a kind. */
function revocation<Found extends Key>(command: Command, program: Program, kind: KeyKind<Found>): void {
  onData(command.command("revoke"))
    .argument("<id_or_prefix>", "ID or prefix of the key, as listed")
    .description("revoke a key immediately, even while the server runs")
    .option("--yes", "don't ask for confirmation")
    .addHelpText("after", examples(kind.example))
    .action(async (typed: string, { yes, json, ...given }: KeyOptions) => {
      // A whole key works as well, for a person who found one.
      const named = /^ab[ia]_/.test(typed) ? prefixOf(typed) : typed
      const { id, label, prefix } = await withData(program, given, async (context) => {
        const active = (await kind.list(context)).filter(({ revokedAt }) => revokedAt === null)
        const key = active.find((each) => String(each.id) === named || each.prefix === named)
        const advice = `To see them, run "adbooth ${command.name()} list".`
        if (key === undefined) throw new UserError(`There is no active ${kind.name} "${named}". ${advice}`)
        const owner = "organization" in key ? `, ${key.organization}` : ""
        const question = `Revoke key ${key.prefix} ("${key.label}"${owner})? Anything using it stops working immediately.`
        await confirm(question, yes)
        await kind.revoke(context, key)
        return key
      })
      if (json) return printJson({ id: String(id), label, revoked: true })
      await printText(`Revoked ${prefix} ("${label}"). Calls with it now get 401.`)
    })
}
