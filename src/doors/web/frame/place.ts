import type { MemberRole, Organization } from "../../../domain/people/organization.ts"
import type { OrganizationTraits } from "../../../storage/port/store.ts"
import type { SystemNeed } from "../operator/system-needs.ts"
import type { ToSettle } from "../sale/to-settle.ts"

/** Where in the app a signed-in visitor is. The navigation and the organization switcher are made from it. */
export interface VisitorPlace extends OrganizationTraits {
  /** Null where there is none yet, and for a visitor who belongs to none. */
  readonly organization: Organization | null
  readonly role: MemberRole
  readonly isOperator: boolean
  /** How many lines and feeds need a seller today; null for others, and on Today until it has looked itself. */
  readonly needing: number | null
  /** How many orders wait for an answer; null where none are taken. */
  readonly orders: number | null
  /** Whether agents can be shown something that this organization sells. */
  readonly hasProducts: boolean
  readonly settling: readonly ToSettle[]
  /** What about the server needs its operator; nothing for everybody else. */
  readonly systemNeeds: readonly SystemNeed[]
  /** The organizations to switch to, the present one included: with one there is no switcher. */
  readonly organizations: readonly Organization[]
  /** Whether several organizations sell here, so that an operator has pages about all of them. */
  readonly hasSeveralSellers: boolean
}

/** Nobody looks through more than that in a menu; the list of all of them has a search. */
export const SWITCHED_TO_MAX = 30

/** How much there is to do for the visitor: an operator has the server, too. */
export const countNeeds = ({ needing, orders, settling, systemNeeds }: VisitorPlace): number =>
  (needing ?? 0) + (orders ? 1 : 0) + settling.length + systemNeeds.length
