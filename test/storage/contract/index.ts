import { describe, expect, test } from "bun:test"
import { admissionsContract } from "./admissions.ts"
import { affiliatesContract } from "./affiliates.ts"
import { alertsContract } from "./alerts.ts"
import { auditContract } from "./audit.ts"
import { callLogContract } from "./call-log.ts"
import { campaignsContract } from "./campaigns.ts"
import { catalogueContract } from "./catalogue.ts"
import { daysContract } from "./days.ts"
import { deliveriesContract } from "./deliveries.ts"
import type { Contract, Engine } from "./engine.ts"
import { externalIdsContract } from "./external-ids.ts"
import { feedActivityContract } from "./feed-activity.ts"
import { historiesContract } from "./histories.ts"
import { importExportContract } from "./import-export.ts"
import { invitationsContract } from "./invitations.ts"
import { keysContract } from "./keys.ts"
import { linesInFlightContract } from "./lines-in-flight.ts"
import { type Method, watched } from "./methods.ts"
import { operationsContract } from "./operations.ts"
import { organizationsContract } from "./organizations.ts"
import { removalsContract } from "./removals.ts"
import { sessionsContract } from "./sessions.ts"
import { shareLinksContract } from "./share-links.ts"
import { signInContract } from "./sign-in.ts"
import { stepsContract } from "./steps.ts"
import { textsAndNumbersContract } from "./texts-and-numbers.ts"
import { uploadsContract } from "./uploads.ts"
import { usersContract } from "./users.ts"
import { withdrawalsContract } from "./withdrawals.ts"

// What every storage engine has to do, in the words of the port. An engine's test hands itself to `storageContract`.

/** Which contract speaks for each method of the port: a new one has to be added here, or the types do not fit. */
const SPOKEN_FOR: Readonly<Record<Method, Contract>> = {
  "organizations.findBySlug": organizationsContract,
  "organizations.list": organizationsContract,
  "organizations.overview": organizationsContract,
  "organizations.sellers": organizationsContract,
  "organizations.buyersWithPeople": organizationsContract,
  "organizations.standing": organizationsContract,
  "organizations.create": organizationsContract,
  "organizations.edit": organizationsContract,
  "organizations.logo": organizationsContract,
  "organizations.setLogo": organizationsContract,
  "organizations.remove": removalsContract,
  "users.create": usersContract,
  "users.findByEmail": usersContract,
  "users.findById": usersContract,
  "users.heads": usersContract,
  "users.findByIds": usersContract,
  "users.list": usersContract,
  "users.hasOperator": usersContract,
  "users.setPassword": usersContract,
  "users.edit": usersContract,
  "users.remove": usersContract,
  "members.list": usersContract,
  "members.find": usersContract,
  "members.setRole": usersContract,
  "members.remove": usersContract,
  "members.access": usersContract,
  "oneTimeLinks.issue": signInContract,
  "linkClaims.find": signInContract,
  "linkClaims.claimSetup": signInContract,
  "linkClaims.claimPassword": signInContract,
  "credentials.findByCodeLink": signInContract,
  "linkClaims.close": signInContract,
  "linkClaims.askForCode": signInContract,
  "credentials.findByEmail": signInContract,
  "credentials.findByUserId": signInContract,
  "sessions.open": signInContract,
  "sessions.find": signInContract,
  "sessions.list": sessionsContract,
  "sessions.endOne": sessionsContract,
  "sessions.extend": sessionsContract,
  "sessions.end": signInContract,
  "sessions.endAll": signInContract,
  "twoFactor.enable": signInContract,
  "twoFactor.disable": signInContract,
  "twoFactor.useRecoveryCode": signInContract,
  "twoFactor.reset": signInContract,
  "twoFactor.useTimeStep": signInContract,
  "twoFactor.recoveryCodesLeft": signInContract,
  "invitations.issue": invitationsContract,
  "invitations.list": invitationsContract,
  "invitations.withdraw": invitationsContract,
  "invitations.find": invitationsContract,
  "invitations.accept": invitationsContract,
  "invitations.acceptAsNew": invitationsContract,
  "campaigns.list": campaignsContract,
  "campaigns.find": campaignsContract,
  "campaigns.summary": campaignsContract,
  "campaigns.buyers": campaignsContract,
  "campaigns.currencies": campaignsContract,
  "campaigns.lineNames": campaignsContract,
  "campaigns.codeNames": campaignsContract,
  "campaigns.create": campaignsContract,
  "campaigns.edit": campaignsContract,
  "campaigns.addLine": campaignsContract,
  "campaigns.editLine": campaignsContract,
  "campaigns.archive": removalsContract,
  "campaigns.archiveLine": removalsContract,
  "campaigns.remove": removalsContract,
  "campaigns.removeLine": removalsContract,
  "campaigns.boughtThrough": keysContract,
  "campaigns.hasFigures": campaignsContract,
  "campaigns.lines": campaignsContract,
  "campaigns.listedLines": linesInFlightContract,
  "campaigns.listedInFlight": linesInFlightContract,
  "campaigns.flyingLines": linesInFlightContract,
  "campaigns.inFlight": linesInFlightContract,
  "packageLines.listWithTotals": campaignsContract,
  "packageLines.locate": linesInFlightContract,
  "packageLines.sellersOf": linesInFlightContract,
  "packageLines.findSold": campaignsContract,
  "packageLines.findByExternalIds": externalIdsContract,
  "packageLines.example": campaignsContract,
  "shareLinks.create": shareLinksContract,
  "shareLinks.list": shareLinksContract,
  "shareLinks.find": shareLinksContract,
  "shareLinks.revoke": shareLinksContract,
  "shareLinks.findByToken": shareLinksContract,
  "deliveries.linesSold": deliveriesContract,
  "deliveries.record": deliveriesContract,
  "deliveries.recordUnlessOutdated": deliveriesContract,
  "deliveries.preview": deliveriesContract,
  "deliveries.withdraw": withdrawalsContract,
  "deliveries.makeDays": daysContract,
  "deliveries.withdrawTogether": withdrawalsContract,
  "deliveryHistory.received": withdrawalsContract,
  "deliveryHistory.page": deliveriesContract,
  "deliveryHistory.find": withdrawalsContract,
  "deliveryHistory.arrivals": deliveriesContract,
  "deliveryHistory.points": deliveriesContract,
  "deliveryHistory.days": daysContract,
  "affiliates.codesSold": affiliatesContract,
  "affiliates.saveCodes": affiliatesContract,
  "affiliates.saveMetrics": affiliatesContract,
  "affiliateFigures.figures": affiliatesContract,
  "affiliateFigures.campaigns": affiliatesContract,
  "ingestKeys.create": keysContract,
  "ingestKeys.list": keysContract,
  "ingestKeys.revoke": keysContract,
  "ingestKeys.noteUse": keysContract,
  "agentKeys.create": keysContract,
  "agentKeys.list": keysContract,
  "agentKeys.revoke": keysContract,
  "agentKeys.setBuyer": keysContract,
  "agentKeys.open": keysContract,
  "agentKeys.close": keysContract,
  "agentKeys.noteUse": keysContract,
  "agentKeys.changeOpenings": keysContract,
  "catalogue.revision": catalogueContract,
  "catalogue.products": catalogueContract,
  "catalogue.formats": catalogueContract,
  "catalogue.openings": catalogueContract,
  "catalogue.contents": catalogueContract,
  "catalogue.edit": catalogueContract,
  "importExport.known": importExportContract,
  "importExport.apply": importExportContract,
  "importExport.snapshot": importExportContract,
  "audit.list": auditContract,
  "audit.actions": auditContract,
  "audit.note": auditContract,
  "agentCallLog.note": callLogContract,
  "agentCallLog.after": callLogContract,
  "agentCallLog.prune": callLogContract,
  "agentCallLog.search": callLogContract,
  "agentCallLog.size": callLogContract,
  "agentCallLog.keepWithin": callLogContract,
  "agentCallLog.filterOptions": callLogContract,
  "agentCallLog.demand": callLogContract,
  "feedActivity.note": feedActivityContract,
  "feedActivity.keys": feedActivityContract,
  "feedActivity.quietKeys": feedActivityContract,
  "feedActivity.counts": feedActivityContract,
  "feedActivity.rejected": feedActivityContract,
  "feedActivity.prune": feedActivityContract,
  "refusals.since": callLogContract,
  "refusals.note": callLogContract,
  "refusals.prune": callLogContract,
  "admissions.ingest": admissionsContract,
  "admissions.agent": admissionsContract,
  "admissions.caller": admissionsContract,
  "signInThrottle.begin": admissionsContract,
  "signInThrottle.takeBack": admissionsContract,
  "signInThrottle.succeeded": admissionsContract,
  "leases.take": admissionsContract,
  "uploads.find": uploadsContract,
  "uploads.list": uploadsContract,
  "uploads.findSame": uploadsContract,
  "uploads.part": uploadsContract,
  "uploads.columns": uploadsContract,
  "uploads.begin": uploadsContract,
  "uploads.savePart": uploadsContract,
  "uploads.move": uploadsContract,
  "uploads.claim": uploadsContract,
  "uploads.progress": uploadsContract,
  "uploads.rememberColumns": uploadsContract,
  "uploads.sweep": uploadsContract,
  "alerts.lasting": alertsContract,
  "alerts.messages": alertsContract,
  "alerts.due": alertsContract,
  "alerts.note": alertsContract,
  "alerts.beginAttempt": alertsContract,
  "alerts.endAttempt": alertsContract,
  "settings.get": operationsContract,
  "settings.set": operationsContract,
  "settings.changeDelivery": operationsContract,
  "settings.changeSchedule": operationsContract,
  "settings.secret": operationsContract,
  "health.ping": operationsContract,
  "health.tryWriting": operationsContract,
  "health.integrity": operationsContract,
  "health.unexplainedTotals": operationsContract,
  "health.latestTimestamp": operationsContract,
  "health.schema": operationsContract,
  "health.sizeBytes": operationsContract,
  "health.facts": operationsContract,
  transact: stepsContract,
  transactBeside: stepsContract,
  transactBulk: stepsContract,
  query: stepsContract,
  withOneDeadline: operationsContract,
  flushWriteBuffer: callLogContract,
}

/** Declares the tests of all contracts, and that each really uses every method that it speaks for. */
export function storageContract(engine: Engine): void {
  const contracts = Map.groupBy(Object.entries(SPOKEN_FOR), ([, contract]) => contract)
  describe(`storage with ${engine.name}`, () => {
    for (const [contract, methods] of contracts) {
      const called = new Set<string>()
      contract(noting(engine, called))
      test(`every method was used: ${methods.map(([method]) => method).join(", ")}`, () => {
        expect(methods.map(([method]) => method).filter((method) => !called.has(method))).toEqual([])
      })
    }
    historiesContract(engine)
    textsAndNumbersContract(engine)
  })
}

/** The engine, which notes the methods that are used of its stores. */
function noting(engine: Engine, called: Set<string>): Engine {
  const note = (method: string) => void called.add(method)
  return {
    ...engine,
    async open() {
      const opened = await engine.open()
      return {
        ...opened,
        store: watched(opened.store, note),
        again: async () => watched(await opened.again(), note),
        [Symbol.asyncDispose]: () => opened[Symbol.asyncDispose](),
      }
    },
  }
}
