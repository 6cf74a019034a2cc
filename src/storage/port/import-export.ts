import type { PlannedAgentKey, PlannedCampaign, PlannedLine } from "../../domain/import/import-plan.ts"
import type { Organization } from "../../domain/people/organization.ts"
import type { User } from "../../domain/people/user.ts"
import type { StoredFormat, StoredProduct } from "./catalogue.ts"

export interface Count {
  readonly created: number
  readonly updated: number
}

export interface Imported {
  readonly organizations: Count
  readonly users: Count
  readonly campaigns: Count
  readonly lines: Count
  readonly formats: Count
  readonly products: Count
  readonly agentKeys: readonly {
    readonly id: string
    readonly label: string
    readonly prefix: string
    readonly isNew: boolean
    /** As the file says it; absent where it says nothing. */
    readonly buyer?: string | null
  }[]
}

export interface Snapshot {
  readonly organizations: readonly Organization[]
  readonly users: readonly User[]
  readonly campaigns: readonly PlannedCampaign[]
  readonly lines: readonly PlannedLine[]
  readonly formats: readonly StoredFormat[]
  readonly products: readonly StoredProduct[]
  readonly agentKeys: readonly PlannedAgentKey[]
}
