import { endMembership, setRole } from "../../../src/actions/people/members.ts"
import { storeLink } from "../../../src/actions/people/one-time-links.ts"
import { rightsOf } from "../../../src/actions/people/rights.ts"
import {
  resetCodes,
  turnCodesOff,
  turnCodesOn,
  useRecoveryCode,
  useTimeStep,
} from "../../../src/actions/people/two-factor.ts"
import type { Store as Port } from "../../../src/storage/port/store.ts"
import type { ReadTx, Step } from "../../../src/storage/steps/step.ts"

// Rules are steps of a transaction, written once for both engines. Here each is a method again, so that tests can say what somebody did.

const CHANGES = {
  members: { setRole, remove: endMembership },
  oneTimeLinks: { issue: storeLink },
  twoFactor: { enable: turnCodesOn, disable: turnCodesOff, reset: resetCodes, useRecoveryCode, useTimeStep },
}

const QUERIES = {
  members: {
    *access(tx: ReadTx, userId: number): Step<{ readonly organizations: number; readonly isOperator: boolean }> {
      const { organizations, isOperator } = yield* rightsOf(tx, userId)
      return { organizations: organizations.length, isOperator }
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
export type Store = Port & Queries & AsMethods<typeof CHANGES>

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
  return whole as unknown as Store
}
