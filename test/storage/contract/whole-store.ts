import { chooseAlerts } from "../../../src/actions/alerts/alert-choice.ts"
import { noteAlerts } from "../../../src/actions/alerts/check-alerts.ts"
import { beginAttempt, endAttempt } from "../../../src/actions/alerts/send-alerts.ts"
import {
  addCampaign,
  archiveCampaign,
  removeCampaign,
  replaceCampaign,
} from "../../../src/actions/campaigns/campaigns.ts"
import { addToCampaign, archiveLine, removeLine, replaceLine } from "../../../src/actions/campaigns/lines.ts"
import { stopSharing, storeShareLink } from "../../../src/actions/campaigns/share-links.ts"
import { writeEdit } from "../../../src/actions/catalogue/edit-catalogue.ts"
import { applyPlan } from "../../../src/actions/catalogue/import-catalogue.ts"
import { withdraw, withdrawTogether } from "../../../src/actions/delivery/withdraw-report.ts"
import {
  addAgentKey,
  addIngestKey,
  revokeAgentKey,
  revokeIngestKey,
  setAgentKeyBuyer,
} from "../../../src/actions/keys/keys.ts"
import { closeProduct, editOpening, openProduct } from "../../../src/actions/keys/openings.ts"
import {
  chooseCallLogDays,
  chooseListing,
  nameContact,
  switchDelivery,
  takeOverSettings,
} from "../../../src/actions/operations/agent-settings.ts"
import { changeBackupSchedule } from "../../../src/actions/operations/backups.ts"
import { countAttempt } from "../../../src/actions/operations/readiness.ts"
import { accept, storeInvitation, withdrawInvitation } from "../../../src/actions/people/invitations.ts"
import { removeMember, setMemberRole } from "../../../src/actions/people/members.ts"
import { addLink, storeLink } from "../../../src/actions/people/one-time-links.ts"
import {
  addOrganization,
  removeOrganization,
  replaceOrganization,
  setLogo,
} from "../../../src/actions/people/organizations.ts"
import { claimPassword, claimSetup, setPassword } from "../../../src/actions/people/passwords.ts"
import { deleteSession, endAll, endSession, extendSession, storeSession } from "../../../src/actions/people/sessions.ts"
import { closeLink, storeCodeLink } from "../../../src/actions/people/sign-in.ts"
import {
  resetCodes,
  turnCodesOff,
  turnCodesOn,
  useRecoveryCode,
  useTimeStep,
} from "../../../src/actions/people/two-factor.ts"
import { addUser, editUser, removeUser } from "../../../src/actions/people/users.ts"
import { endOrders, moveOrder } from "../../../src/actions/sale/answer-order.ts"
import { endOrderLink, storeOrderLink, switchTakingOrders } from "../../../src/actions/sale/order-links.ts"
import { storeOrder } from "../../../src/actions/sale/place-order.ts"
import { moveStatement, storeStatement } from "../../../src/actions/sale/statements.ts"
import { firstSecret, setSetting } from "../../../src/actions/settings.ts"
import { addFile, fixReceipt, forget, moveFile, remember, removeFile } from "../../../src/actions/upload/file-state.ts"
import { sweepRecords, sweepText } from "../../../src/actions/upload/sweep.ts"
import type { Change } from "../../../src/domain/people/audit.ts"
import type { Store as Port } from "../../../src/storage/port/store.ts"
import { audit } from "../../../src/storage/steps/audit.ts"
import { renewNextDay } from "../../../src/storage/steps/line-days.ts"
import { credentialsByCodeLink, credentialsByEmail, credentialsOf } from "../../../src/storage/steps/sign-in.ts"
import type { ReadTx, Step, Tx } from "../../../src/storage/steps/step.ts"
import { userById } from "../../../src/storage/steps/users.ts"

// Rules are steps of a transaction, written once for both engines. Here each is a method again, so that tests can say what somebody did.

const CHANGES = {
  organizations: { create: addOrganization, edit: replaceOrganization, remove: removeOrganization.step, setLogo },
  campaigns: {
    create: addCampaign,
    edit: replaceCampaign,
    archive: archiveCampaign.step,
    remove: removeCampaign.step,
    addLine: addToCampaign,
    editLine: replaceLine,
    archiveLine: archiveLine.step,
    removeLine: removeLine.step,
  },
  orderLinks: { create: storeOrderLink, end: endOrderLink.step },
  orders: { place: storeOrder, move: moveOrder, endStale: endOrders.step, setTaken: switchTakingOrders.step },
  statements: { save: storeStatement.step, move: moveStatement.step },
  shareLinks: { create: storeShareLink, revoke: stopSharing.step },
  deliveries: { withdraw, withdrawTogether, renewDays: renewNextDay },
  uploads: { add: addFile, move: moveFile, fixReceipt, remove: removeFile, remember, forget, sweepText, sweepRecords },
  users: { create: addUser, setPassword, edit: editUser.step, remove: removeUser.step },
  linkClaims: { claimSetup, claimPassword, askForCode: storeCodeLink, close: closeLink },
  invitations: {
    issue: storeInvitation,
    withdraw: withdrawInvitation.step,
    accept: (tx: Tx, tokenHash: string, account: NewAccount, { at }: Change) => accept(tx, tokenHash, account, at),
  },
  sessions: {
    open: storeSession,
    extend: extendSession,
    end: deleteSession,
    endOne: endSession.step,
    endAll,
  },
  members: { setRole: setMemberRole.step, remove: removeMember.step },
  settings: {
    set: setSetting,
    secret: firstSecret,
    changeSchedule: changeBackupSchedule.step,
    changeContact: nameContact.step,
    changeDelivery: switchDelivery.step,
    changeListing: chooseListing.step,
    changeCallLogDays: chooseCallLogDays.step,
    takeOver: takeOverSettings.step,
    changeAlerts: chooseAlerts.step,
  },
  health: { tryWriting: countAttempt },
  alerts: { note: noteAlerts, beginAttempt, endAttempt },
  catalogue: { edit: writeEdit },
  audit: { note: (tx: Tx, action: string, subject: string, by: Change) => audit(tx, by, { action, subject }) },
  ingestKeys: { create: addIngestKey, revoke: revokeIngestKey.step },
  agentKeys: {
    create: addAgentKey,
    revoke: revokeAgentKey.step,
    setBuyer: setAgentKeyBuyer.step,
    open: openProduct.step,
    close: closeProduct.step,
    changeOpening: editOpening.step,
  },
  oneTimeLinks: { issue: storeLink, add: addLink },
  twoFactor: { enable: turnCodesOn, disable: turnCodesOff, reset: resetCodes, useRecoveryCode, useTimeStep },
}

type NewAccount = Parameters<typeof accept>[2]

const QUERIES = {
  credentials: {
    findByEmail: credentialsByEmail,
    findByUserId: credentialsOf,
    findByCodeLink: credentialsByCodeLink,
  },
  members: {
    *access(tx: ReadTx, userId: number): Step<{ readonly organizations: number; readonly isOperator: boolean }> {
      const user = yield* userById(tx, userId)
      return { organizations: user?.memberships.length ?? 0, isOperator: user?.isOperator ?? false }
    },
  },
}

type AnyStep = (tx: never, ...given: never[]) => Step<unknown>
type Parts = Readonly<Record<string, Readonly<Record<string, AnyStep>>>>
type AsMethod<Made> = Made extends (tx: never, ...given: infer Given) => Step<infer Result>
  ? (...given: Given) => Promise<Result>
  : never
type AsMethods<Of> = {
  readonly [Part in keyof Of]: { readonly [Name in keyof Of[Part]]: AsMethod<Of[Part][Name]> }
}

export type Queries = AsMethods<typeof QUERIES>
/** The port, and every step as a method. */
export type Store = Port &
  Queries & {
    readonly importExport: { readonly apply: ApplyPlan }
  } & AsMethods<typeof CHANGES>

type ApplyPlan = (...given: Rest<Parameters<typeof applyPlan>>) => ReturnType<typeof applyPlan>
type Rest<Given> = Given extends [unknown, ...infer Others] ? Others : never

export function wholeStore(store: Port): Store {
  const whole: Record<string, unknown> = { ...store }
  const add = (parts: Parts, run: (step: (tx: never) => Step<unknown>) => Promise<unknown>) => {
    for (const [part, steps] of Object.entries(parts)) {
      const methods = Object.entries(steps).map(([name, step]) => [
        name,
        (...given: never[]) => run((tx) => step(tx, ...given)),
      ])
      whole[part] = { ...(whole[part] as object | undefined), ...Object.fromEntries(methods) }
    }
  }
  add(CHANGES, (work) => store.transact(work as Parameters<Port["transact"]>[0]))
  add(QUERIES, (work) => store.query(work as Parameters<Port["query"]>[0]))
  const apply: ApplyPlan = (...given) => applyPlan({ store }, ...given)
  whole["importExport"] = { ...store.importExport, apply }
  return whole as unknown as Store
}
