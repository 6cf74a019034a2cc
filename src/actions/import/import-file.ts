import { asc, isNull } from "drizzle-orm"
import type { LineFields } from "../../domain/campaign/line.ts"
import {
  type ImportedCampaign,
  type ImportedLine,
  type ImportedUser,
  type ImportFile,
  ImportFileSchema,
  LINE_FIELDS,
} from "../../domain/import-file.ts"
import { explain, type Problem } from "../../domain/schema/explain.ts"
import type { Moment } from "../../domain/time/moment.ts"
import { addAuditEntry } from "../../storage/audit.ts"
import { allOpenings, storedFormats, storedProducts } from "../../storage/catalogue/catalogue.ts"
import type { ReadTx, Tx } from "../../storage/database.ts"
import { allOrganizations } from "../../storage/organizations.ts"
import { allUsers } from "../../storage/people/users.ts"
import type { Actor, Context } from "../context.ts"
import { checkCampaigns } from "./campaigns.ts"
import { checkBuyerKeys, checkCatalogue } from "./catalogue.ts"
import type { Count } from "./importing.ts"
import { checkOrganizations, checkUsers } from "./organizations.ts"

// A new time zone writes the days of all reports again.
const TRANSACTION_MS_MAX = 10 * 60_000

/** Writes the whole file, or writes nothing and returns every problem in it. */
export async function importFile({ database, clock }: Context, actor: Actor, value: unknown) {
  const problems = explain(ImportFileSchema, value)
  if (problems.length > 0) return { problems }
  return database.transact((tx) => importAll(tx, value as ImportFile, actor, clock()), {
    msMax: TRANSACTION_MS_MAX,
  })
}

export type Imported = Extract<Awaited<ReturnType<typeof importAll>>, { imported: unknown }>["imported"]

/** Each part refers to the ones before it. */
async function importAll(tx: Tx, file: ImportFile, actor: Actor, at: Moment) {
  const { organizations = [], users, campaigns } = file
  const stored = new Map((await allOrganizations(tx)).map((organization) => [organization.slug, organization]))
  const ids = new Map<string, number | null>(organizations.map(({ slug }) => [slug, null]))
  for (const { slug, id } of stored.values()) ids.set(slug, id)
  const problems: Problem[] = []
  const importing = { tx, at, problems, stored, ids }

  const writeOrganizations = checkOrganizations(importing, organizations)
  const writeUsers = await checkUsers(importing, users)
  const writeCampaigns = await checkCampaigns(importing, campaigns)
  const writeCatalogue = await checkCatalogue(importing, file)
  const writeBuyerKeys = await checkBuyerKeys(importing, file)
  if (problems.length > 0) return { problems }

  const imported = {
    organizations: await writeOrganizations(),
    users: await writeUsers(),
    ...(await writeCampaigns()),
    ...(await writeCatalogue()),
    buyerKeys: await writeBuyerKeys(),
  }
  await addAuditEntry(tx, { at, actor, organizationId: null, text: `imported a file: ${summaryOf(imported)}` })
  return { imported }
}

/** "2 organizations, 1 campaign" */
function summaryOf({ buyerKeys, ...counts }: Readonly<Record<string, Count | readonly unknown[]>>): string {
  const sizes = Object.entries({ ...counts, "buyer keys": buyerKeys }).flatMap(([name, part]) => {
    const size = part === undefined ? 0 : "created" in part ? part.created + part.updated : part.length
    return size === 0 ? [] : [`${size} ${size === 1 ? name.slice(0, -1) : name}`]
  })
  return sizes.length === 0 ? "nothing" : sizes.join(", ")
}

/** The file that `importFile` reads, with everything that it can hold. Keys and passwords are left out. */
export const exportFile = ({ database }: Context): Promise<ImportFile> =>
  database.snapshot(async (read) => {
    const organizations = await read.db.select().from(read.organization).orderBy(asc(read.organization.slug))
    const slugs = new Map(organizations.map(({ id, slug }) => [id, slug]))
    const formats = await storedFormats(read)
    const products = await storedProducts(read)
    return {
      organizations: organizations.map(({ slug, name, timeZone, address }) => ({
        slug,
        name,
        time_zone: timeZone,
        ...(address !== "" && { address }),
      })),
      users: await usersOf(read, slugs),
      campaigns: await campaignsOf(read, slugs),
      formats: [...formats.values()].filter((format) => format !== null),
      hidden_formats: [...formats].flatMap(([id, format]) => (format === null ? [id] : [])),
      products: products.map(({ product }) => product),
      product_sellers: products.flatMap(({ id, sellerId }) =>
        sellerId === null ? [] : [{ product_id: id, seller: slugOf(slugs, sellerId) }],
      ),
      agent_keys: await buyerKeysOf(read, slugs),
    }
  })

type Slugs = ReadonlyMap<number, string>

const slugOf = (slugs: Slugs, id: number): string => slugs.get(id) ?? ""

async function usersOf(read: ReadTx, slugs: Slugs): Promise<ImportedUser[]> {
  const seats = await read.db.select().from(read.membership)
  const byUser = Map.groupBy(seats, ({ userId }) => userId)
  return (await allUsers(read)).flatMap(({ id, email, name, isOperator }) => {
    const account = { email, name, ...(isOperator && { operator: true }) }
    const own = byUser.get(id) ?? []
    if (own.length === 0) return [account]
    return own.map(({ organizationId, role }) => ({ ...account, organization: slugOf(slugs, organizationId), role }))
  })
}

async function campaignsOf(read: ReadTx, slugs: Slugs): Promise<ImportedCampaign[]> {
  const { db, campaign, line } = read
  const lines = Map.groupBy(await db.select().from(line).orderBy(asc(line.id)), ({ campaignId }) => campaignId)
  const campaigns = await db.select().from(campaign).orderBy(asc(campaign.id))
  return campaigns.map(({ id, slug, name, buyerId, ownerId, archived }) => ({
    slug,
    ...(ownerId !== null && { owner: slugOf(slugs, ownerId) }),
    name,
    buyer: slugOf(slugs, buyerId),
    ...(archived === 1 && { archived: true }),
    lines: (lines.get(id) ?? []).map((each) => ({
      package_id: each.packageId,
      seller: slugOf(slugs, each.sellerId),
      ...entryOf(each),
      ...(each.archived === 1 && { archived: true }),
    })),
  }))
}

type EditedFields = Pick<ImportedLine, (typeof LINE_FIELDS)[keyof LineFields]>

function entryOf(line: LineFields): EditedFields {
  const fields = Object.entries(LINE_FIELDS).map(([field, name]) => [name, line[field as keyof LineFields]])
  return Object.fromEntries(fields) as EditedFields
}

async function buyerKeysOf(read: ReadTx, slugs: Slugs) {
  const { db, buyerKey } = read
  const openings = Map.groupBy(await allOpenings(read), ({ buyerKeyId }) => buyerKeyId)
  const keys = await db.select().from(buyerKey).where(isNull(buyerKey.revokedAt)).orderBy(asc(buyerKey.label))
  return keys.map(({ id, label, buyerId }) => ({
    label,
    ...(buyerId !== null && { buyer: slugOf(slugs, buyerId) }),
    opened: (openings.get(id) ?? []).map(({ productId, territories }) => ({
      product_id: productId,
      territories: [...territories],
    })),
  }))
}
