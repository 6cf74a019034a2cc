import { type LineColumn, type LineFields, lineColumns, type StayingField } from "../campaign/line-fields.ts"
import { normalTerritories } from "../keys/opening.ts"
import { normalEmail } from "../people/user.ts"
import type { Accounts } from "./account-rights.ts"
import type { ImportedLine, ImportFile } from "./import-file.ts"

export interface ExistingData {
  readonly accounts: Accounts
  readonly organizations: ReadonlySet<string>
  readonly products: ReadonlyMap<string, unknown>
  /** The operator's own formats by id; null hides the built-in format of that id. */
  readonly formats: ReadonlyMap<string, unknown>
  readonly lines: ReadonlyMap<string, ExistingLine>
  /** The same by `nameOfLine`; the oldest of several. */
  readonly linesByName: ReadonlyMap<string, ExistingLine>
  /** The revision of the catalogue at which products and formats were read. */
  readonly revision: number
}

export interface ExistingLine extends Pick<PlannedLine, "packageId" | "campaign" | "seller" | "name" | "pricingBasis"> {
  readonly externalId: string | null
  /** Whether the line has figures, so that its seller and pricing basis can no longer change. */
  readonly hasFigures: boolean
}

/** A staying field that is absent leaves the stored one; null removes it. */
export interface PlannedLine extends Omit<LineFields, StayingField>, Partial<Pick<LineFields, StayingField>> {
  /** Absent leaves it as it is. */
  readonly archived?: boolean
  readonly packageId: string
  readonly campaign: string
  readonly seller: string
}

type Plan = ReturnType<typeof planImport>
export type ImportPlan = { readonly [Part in keyof Plan]: readonly Plan[Part][number][] }

/** Turns a checked file into the rows to write. `newId` makes missing package ids. */
export const planImport = (file: ImportFile, existing: ExistingData, newId: () => string) => ({
  organizations: (file.organizations ?? []).map(({ slug, name, time_zone }) => ({
    slug,
    name,
    timeZone: time_zone ?? null,
  })),
  users: planUsers(file),
  campaigns: (file.campaigns ?? []).map(({ slug, name, buyer, archived }) => ({
    slug,
    name,
    buyer,
    ...(archived !== undefined && { archived }),
  })),
  lines: (file.campaigns ?? []).flatMap(({ slug, lines }) =>
    (lines ?? []).map((line) => planLine(line, slug, existing, newId)),
  ),
  formats: [
    ...(file.formats ?? []).map((body) => ({ formatId: formatIdOf(body), body })),
    ...(file.hidden_formats ?? []).map((formatId) => ({ formatId, body: null })),
  ],
  products: (file.products ?? []).map((body) => ({ productId: productIdOf(body), body })),
  productSellers: (file.product_sellers ?? []).map(({ product_id, seller }) => ({ productId: product_id, seller })),
  agentKeys: (file.agent_keys ?? []).map(({ label, buyer, opened }) => ({
    label,
    ...(buyer !== undefined && { buyer }),
    openings: (opened ?? []).map(({ product_id, territories }) => ({
      productId: product_id,
      territories: normalTerritories(territories),
    })),
  })),
})

export const planUsers = ({ users = [] }: ImportFile) =>
  users.map(({ email, name, operator, organization, role }) => ({
    email: normalEmail(email),
    name,
    isOperator: operator ?? null,
    membership: organization ? { organization, role: role ?? ("member" as const) } : null,
  }))

const planLine = (line: ImportedLine, campaign: string, existing: ExistingData, newId: () => string): PlannedLine => ({
  packageId: (line.package_id ?? sameLine(line, campaign, existing)?.packageId ?? newId()).toLowerCase(),
  campaign,
  seller: line.seller,
  ...fieldsOf(line),
  ...(line.archived !== undefined && { archived: line.archived }),
})

function fieldsOf(line: ImportedLine): Omit<LineFields, StayingField> {
  const given = lineColumns.filter(({ column, stays }) => !stays || line[column] !== undefined)
  return Object.fromEntries(given.map(({ column, field }) => [field, line[column] ?? null])) as unknown as LineFields
}

/** How a value is handed to the database: of a staying field, null leaves the stored one and an empty text removes it. */
export function plannedValue(line: PlannedLine, { field, stays }: LineColumn): string | number | null {
  const value = line[field]
  return stays && value === null ? "" : (value ?? null)
}

/** A line without an id matches by campaign, seller and name, so that importing a file twice is harmless. */
export const sameLine = (line: ImportedLine, campaign: string, existing: ExistingData): ExistingLine | undefined =>
  existing.linesByName.get(nameOfLine({ campaign, seller: line.seller, name: line.name }))

export const nameOfLine = ({ campaign, seller, name }: Pick<ExistingLine, "campaign" | "seller" | "name">): string =>
  `${campaign} ${seller} ${name}`

export const productIdOf = (body: unknown): string =>
  String((body as { product_id?: unknown } | null)?.product_id ?? "")

export const formatIdOf = (body: unknown): string =>
  String((body as { format_id?: { id?: unknown } } | null)?.format_id?.id ?? "")
