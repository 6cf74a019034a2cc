import { afterEach, describe, expect, test } from "bun:test"
import { leftOpen, postgres, sqlite } from "../engines.ts"
import { noPostgres } from "../postgres/server.ts"
import type { Engine } from "./engine.ts"
import { type Method, watched } from "./methods.ts"

// What every storage engine has to do, in the words of the port.

type Words<Text> = Text extends `${infer First} ${infer Rest}` ? First | Words<Rest> : Text
type Spoken<Parts> = {
  [Part in keyof Parts & string]: Part extends "store" ? Words<Parts[Part]> : `${Part}.${Words<Parts[Part]> & string}`
}[keyof Parts & string]

/** Which file speaks for each method of the port. */
const SPOKEN_FOR = {
  admissions: { admissions: "ingest agent caller", signInThrottle: "begin takeBack succeeded", leases: "take" },
  affiliates: { affiliates: "codesSold saveCodes saveMetrics", affiliateFigures: "figures campaigns" },
  alerts: { alerts: "lasting messages due note beginAttempt endAttempt" },
  // What is left of every change, and so that each was made.
  audit: {
    audit: "list note",
    orders: "place move endStale setTaken",
    orderLinks: "create end",
    statements: "save move",
  },
  "call-log": {
    agentCallLog: "note after prune search results size keepWithin demand",
    refusals: "since note prune",
    store: "flushWriteBuffer",
  },
  campaigns: {
    campaigns:
      "list find count sellersIn buyers currencies lineNames codeNames create edit addLine editLine hasFigures lines",
    packageLines: "listWithTotals findSold example",
  },
  catalogue: { catalogue: "revision products hasProducts formats openings contents formatTexts productTexts edit" },
  days: { deliveries: "renewDays", deliveryHistory: "days" },
  deliveries: {
    deliveries: "linesSold record recordUnlessOutdated preview",
    deliveryHistory: "page ofDays lastBefore feeds",
  },
  "external-ids": { packageLines: "allSold" },
  "feed-activity": { feedActivity: "note keys quietKeys counts rejected prune" },
  histories: {},
  "import-export": { importExport: "known apply snapshot" },
  invitations: { invitations: "issue list withdraw find accept" },
  keys: {
    campaigns: "boughtThrough",
    ingestKeys: "create list revoke noteUse",
    agentKeys: "create list revoke setBuyer open close noteUse changeOpening",
  },
  "lines-in-flight": { campaigns: "listedLines listedInFlight flyingLines inFlight", packageLines: "locate" },
  operations: {
    settings:
      "get set changeContact changeDelivery changeListing changeCallLogDays takeOver changeAlerts changeSchedule secret",
    health:
      "ping isInDoubt whyNotWritten tryWriting integrity unexplainedTotals unexplainedDays strayReports latestTimestamp schema sizeBytes facts",
  },
  orders: {
    orders: "list find findByCode waiting countWaiting countByState",
    orderLinks: "list",
  },
  organizations: {
    organizations: "find findBySlug list overview sellers buyersWithPeople traits create edit logo setLogo",
  },
  removals: { organizations: "isInUse remove", campaigns: "archive archiveLine remove removeLine" },
  sessions: { sessions: "list endOne extend" },
  "share-links": { shareLinks: "create list find revoke findByToken" },
  "sign-in": {
    oneTimeLinks: "issue add",
    linkClaims: "find claimSetup claimPassword close askForCode",
    credentials: "findByCodeLink findByEmail findByUserId",
    sessions: "open find end endAll",
    twoFactor: "enable disable useRecoveryCode reset useTimeStep recoveryCodesLeft",
  },
  statements: { statements: "list lines unsettled lastNumber" },
  steps: { store: "transact transactBeside transactBulk query" },
  "texts-and-numbers": {},
  uploads: {
    uploads: "find list text lines remembered add move fixReceipt remove remember forget sweepText sweepRecords",
  },
  users: {
    users: "create findByEmail findById heads findByIds list hasOperator setPassword edit remove",
    members: "list find setRole remove access",
  },
  withdrawals: { deliveries: "withdraw withdrawTogether", deliveryHistory: "received find ahead" },
} as const satisfies Readonly<Record<string, Readonly<Record<string, string>>>>

const methodsOf = (spoken: Readonly<Record<string, string>>) =>
  Object.entries(spoken).flatMap(([part, names]) =>
    names.split(" ").map((name) => (part === "store" ? name : `${part}.${name}`)),
  )

/** Every method of the port. */
export const METHODS = Object.values(SPOKEN_FOR).flatMap(methodsOf)

type Topic = keyof typeof SPOKEN_FOR
type Unspoken = Exclude<Method, { [Name in Topic]: Spoken<(typeof SPOKEN_FOR)[Name]> }[Topic]>

/**
 * Declares the tests of a topic for each engine, and that they really use every method that they speak for. A method that no topic
 * speaks for does not fit the types.
 */
export function storageContract(
  topic: [Unspoken] extends [never] ? Topic : Unspoken,
  declare: (engine: Engine) => void,
) {
  const methods = methodsOf(SPOKEN_FOR[topic])
  afterEach(async () => {
    for (const one of leftOpen) await one[Symbol.asyncDispose]()
    leftOpen.clear()
  })
  for (const engine of [sqlite, postgres]) {
    describe.skipIf(engine === postgres && noPostgres !== null)(`storage with ${engine.name}`, () => {
      const called = new Set<string>()
      declare(noting(engine, called))
      if (methods.length === 0) return
      test(`every method was used: ${methods.join(", ")}`, () => {
        expect(methods.filter((method) => !called.has(method))).toEqual([])
      })
    })
  }
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
