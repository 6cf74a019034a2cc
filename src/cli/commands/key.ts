import type { Command } from "commander"
import { createKey, revokeKey } from "../../actions/keys.ts"
import { prefixOf } from "../../domain/api-key.ts"
import { UserError } from "../../domain/errors.ts"
import { allKeys, type ListedKey } from "../../storage/keys.ts"
import { confirm, examples, onData, organizationId, type Program, UsageError, withData } from "../context.ts"
import { type Column, momentOrNull, printJson, printList, printText, say, timeColumn } from "../print.ts"

interface CreateOptions {
  readonly org: string
  readonly label: string
  readonly json?: true
}

interface ListOptions {
  readonly org?: string
  readonly json?: true
}

export interface RevokeOptions {
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
    .action((options: CreateOptions) => create(program, options))
  onData(key.command("list"))
    .description("list keys, with when they were created and last used")
    .option("--org <slug>", "list only keys of this organization")
    .addHelpText("after", examples("key list --org acme-audio"))
    .action((options: ListOptions) => list(program, options))
  onData(key.command("revoke"))
    .argument("<id_or_prefix>", "ID or prefix of the key, as listed")
    .description("revoke a key immediately, even while the server runs")
    .option("--yes", "don't ask for confirmation")
    .addHelpText("after", examples("key revoke abi_Xk3f9Qp1"))
    .action((typed: string, options: RevokeOptions) => revoke(program, typed, options))
}

async function create(program: Program, options: CreateOptions): Promise<void> {
  const created = await withData(program, { ...options }, async (context) => {
    const owner = (await organizationId(context, options.org)) ?? 0
    const result = await createKey(context, "command", { organizationId: owner, label: options.label })
    if ("errors" in result) throw new UsageError(`--label: ${result.errors["label"]}`)
    const keys = await allKeys(context.database.read, owner)
    return { ...result, stored: keys.find(({ prefix }) => prefix === result.prefix) }
  })
  const { key, prefix, stored } = created
  if (options.json)
    return printJson({ id: String(stored?.id), key, prefix, label: stored?.label, organization: options.org })
  await printText(key)
  say("Copy this key now; it won't be shown again.")
}

async function list(program: Program, options: ListOptions): Promise<void> {
  const keys = await withData(program, { ...options }, async (context) =>
    allKeys(context.database.read, await organizationId(context, options.org)),
  )
  await printList(keys, COLUMNS, { json: options.json, empty: NO_KEYS })
}

const NO_KEYS = 'No API keys yet. Create one: adbooth key create --org SLUG --label "Ad server"'

const COLUMNS: readonly Column<ListedKey>[] = [
  { title: "PREFIX", value: ({ prefix }) => prefix },
  { title: "LABEL", value: ({ label }) => label, isCut: true },
  { title: "ORGANIZATION", value: ({ organization }) => organization },
  {
    title: "STATE",
    json: null,
    value: ({ revokedAt }) => (revokedAt === null ? "active" : "revoked"),
    color: ({ revokedAt }) => (revokedAt === null ? "green" : "dim"),
  },
  { ...timeColumn("LAST USED", ({ lastUsedAt }: ListedKey) => lastUsedAt, "never"), isOptional: true },
  { ...timeColumn("CREATED", ({ createdAt }: ListedKey) => createdAt), isOptional: true },
  { title: "ID", value: ({ id }) => String(id), isOptional: true },
  { title: "REVOKED", value: ({ revokedAt }) => momentOrNull(revokedAt), text: null },
]

async function revoke(program: Program, typed: string, { yes, json, ...given }: RevokeOptions): Promise<void> {
  const { id, label, prefix } = await withData(program, given, async (context) => {
    const key = findKey(await allKeys(context.database.read, null), typed)
    if (key === null) throw new UserError(unknownKey("API key", typed, "key"))
    const question = `Revoke key ${key.prefix} ("${key.label}", ${key.organization})? Anything using it stops working immediately.`
    await confirm(question, yes)
    await revokeKey(context, "command", { prefix: key.prefix })
    return key
  })
  if (json) return printJson({ id: String(id), label, revoked: true })
  await printText(`Revoked ${prefix} ("${label}"). Requests with it now get 401.`)
}

interface Identified {
  readonly id: number | string
  readonly prefix: string
  readonly revokedAt: number | null
}

/** The active key with this ID or prefix. A whole key works as well, for a person who found one. */
export function findKey<Key extends Identified>(keys: readonly Key[], typed: string): Key | null {
  const name = shortName(typed)
  const isNamed = ({ id, prefix, revokedAt }: Key) => revokedAt === null && (String(id) === name || prefix === name)
  return keys.find(isNamed) ?? null
}

const shortName = (typed: string): string => (/^ab[ia]_/.test(typed) ? prefixOf(typed) : typed)

export const unknownKey = (what: string, typed: string, command: string): string =>
  `There is no active ${what} "${shortName(typed)}". "adbooth ${command} list" shows which ones there are.`
