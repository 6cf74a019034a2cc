import { type SQL, sql } from "drizzle-orm"
import type { MemberRole, Organization } from "../../domain/people/organization.ts"
import type { LinkPurpose } from "../../domain/people/user.ts"
import type { Moment } from "../../domain/time/moment.ts"
import type { ReadTx, ResultOf, Step } from "./step.ts"
import { all, and, asc, count, desc, eq, first, found, gt, isNull } from "./step.ts"

/**
 * The secrets that a sign-in is checked against. They never leave the action that reads them. The hash is null until the user has set a
 * password, the secret without two-factor codes.
 */
export type Credentials = ResultOf<typeof credentialsWhere>

export const credentialsByEmail = (tx: ReadTx, email: string) => credentialsWhere(tx, eq(tx.user.email, email))

export const credentialsOf = (tx: ReadTx, userId: number) => credentialsWhere(tx, eq(tx.user.id, userId))

/** The user of a sign-in that waits for its two-factor code. The link stays open, so that a mistyped code can be entered again. */
export function credentialsByCodeLink(tx: ReadTx, tokenHash: string, now: Moment): Step<Credentials | null> {
  const { db, user, oneTimeLink } = tx
  const links = db.select(columns(user)).from(oneTimeLink).innerJoin(user, eq(user.id, oneTimeLink.userId))
  return found(links.where(linkWorks(tx, tokenHash, "second_factor", now)))
}

const credentialsWhere = ({ db, user }: ReadTx, which: SQL) => found(db.select(columns(user)).from(user).where(which))

function columns({ id, email, passwordHash, totpSecret }: ReadTx["user"]) {
  return { userId: id, email, passwordHash, totpSecret }
}

export const twoFactorReads = {
  *recoveryCodesLeft({ db, recoveryCode }: ReadTx, userId: number): Step<number> {
    const isTheirs = eq(recoveryCode.userId, userId)
    return (yield* first(db.select({ left: count() }).from(recoveryCode).where(isTheirs)))?.left ?? 0
  },
}

export type SessionRecord = Omit<ReadTx["session"]["$inferInsert"], "id">

export type SignedIn = ResultOf<typeof signedIn>

export type ListedSession = ResultOf<typeof sessionReads.list>[number]

export const sessionReads = {
  find: signedIn,
  /** The valid sessions of a user, the newest first; `isCurrent` marks the one of `currentHash`. */
  *list({ db, session }: ReadTx, userId: number, now: Moment, currentHash: string | null) {
    const isValid = and(eq(session.userId, userId), gt(session.expiresAt, now))
    const rows = db.select().from(session).where(isValid).orderBy(desc(session.createdAt), desc(session.id))
    const open = yield* all(rows)
    return open.map(({ tokenHash, userId: _, ...listed }) => ({ ...listed, isCurrent: tokenHash === currentHash }))
  },
}

const SIGNED_IN = sql.raw(`u.id AS "userId", u.email, u.name, u.is_operator AS "isOperator",
  CASE WHEN u.totp_secret IS NULL THEN 0 ELSE 1 END AS "hasTotp", s.created_at AS "createdAt", s.expires_at AS "expiresAt",
  o.id, o.slug, o.name AS "organizationName", o.time_zone AS "timeZone", m.role`)

/** One for each organization, or one without. */
type SignedInRow = Pick<ReadTx["user"]["$inferSelect"], "email" | "name" | "isOperator"> &
  Pick<SessionRecord, "createdAt" | "expiresAt"> &
  Pick<Organization, "slug" | "timeZone"> &
  Readonly<{ userId: number; hasTotp: number; id: number | null; organizationName: string; role: MemberRole }>

/** The user of a session: the first read of a person's request. Null when it was ended, has expired or never existed. */
function* signedIn({ statement }: ReadTx, tokenHash: string, now: Moment) {
  const rows = yield* all(
    statement<SignedInRow>(
      sql`SELECT ${SIGNED_IN} FROM session s JOIN "user" u ON u.id = s.user_id
        LEFT JOIN membership m ON m.user_id = u.id LEFT JOIN organization o ON o.id = m.organization_id
        WHERE s.token_hash = ${tokenHash} AND s.expires_at > ${now} ORDER BY o.name, o.slug`,
    ),
  )
  const [row] = rows
  if (row === undefined) return null
  const { userId, email, name, createdAt, expiresAt } = row
  const organizations = rows.flatMap(({ id, slug, organizationName, timeZone, role }) =>
    id === null ? [] : [{ id, slug, name: organizationName, timeZone, role }],
  )
  const [isOperator, hasTotp] = [row.isOperator === 1, row.hasTotp === 1]
  return { userId, email, name, isOperator, hasTotp, organizations, session: { createdAt, expiresAt } }
}

/** Whether a one-time link can be used now: it is unclaimed and has not expired. */
export function linkWorks({ oneTimeLink: link }: ReadTx, tokenHash: string, purpose: LinkPurpose, now: Moment) {
  const isOpen = and(isNull(link.claimedAt), gt(link.expiresAt, now))
  return and(eq(link.tokenHash, tokenHash), eq(link.purpose, purpose), isOpen)
}

export const linkClaimReads = {
  /** Null when the link was claimed, has expired or never existed. It has no user where it creates the first operator. */
  find(tx: ReadTx, tokenHash: string, purpose: LinkPurpose, now: Moment) {
    const { id, email, name } = tx.user
    const links = tx.db.select({ user: { id, email, name } }).from(tx.oneTimeLink)
    const ofUsers = links.leftJoin(tx.user, eq(id, tx.oneTimeLink.userId))
    return found(ofUsers.where(linkWorks(tx, tokenHash, purpose, now)))
  },
}

export type NewMember = Readonly<{ email: string; name: string; role: MemberRole }>

export const invitationReads = {
  /** By email address. */
  list({ db, invitation }: ReadTx, organizationId: number) {
    const { id, email, name, role, createdAt, expiresAt } = invitation
    const isOurs = eq(invitation.organizationId, organizationId)
    const columns = { id, email, name, role, createdAt, expiresAt }
    return all(db.select(columns).from(invitation).where(isOurs).orderBy(asc(email)))
  },
  /**
   * As the invited person sees it. Null when it was accepted or withdrawn, has expired or never existed. `addsAccount`: the operator adds the
   * account of this address. Nobody else's invitation says whether there is one.
   */
  *find(tx: ReadTx, tokenHash: string, now: Moment) {
    const { db, invitation, organization, user } = tx
    const { email, name, role, byOperator } = invitation
    const { id, slug } = organization
    const columns = { email, name, role, organization: { id, slug, name: organization.name } }
    const rows = db.select({ ...columns, userId: user.id }).from(invitation)
    const ofOrganizations = rows.innerJoin(organization, eq(id, invitation.organizationId))
    const withAccounts = ofOrganizations.leftJoin(user, and(eq(user.email, email), eq(byOperator, 1)))
    const invited = yield* first(withAccounts.where(invitationWorks(tx, tokenHash, now)))
    if (invited === undefined) return null
    const { userId, ...shown } = invited
    return { ...shown, addsAccount: userId !== null }
  },
}

export type Invitation = ResultOf<typeof invitationReads.list>[number]
export type OpenInvitation = ResultOf<typeof invitationReads.find>

/** Whether it was neither accepted nor withdrawn, and has not expired. */
export const invitationWorks = ({ invitation }: ReadTx, tokenHash: string, now: Moment) =>
  and(eq(invitation.tokenHash, tokenHash), gt(invitation.expiresAt, now))
