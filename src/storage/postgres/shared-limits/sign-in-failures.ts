import type { FailurePlaces, SignInFailures, SignInThrottle } from "../../../domain/people/sign-in.ts"
import { FAILURE_PLACES, signInThrottle } from "../../../domain/people/sign-in.ts"
import type { Moment } from "../../../domain/time/moment.ts"
import { storableText } from "../engine/session.ts"
import type { Access } from "../engine/transaction.ts"
import { DATABASE_NOW, type GivenClock } from "./clock.ts"

/** The places of the subjects $1, made where there are none and locked in one order; $2 is the time of a test, or null. */
const LOCK = `
  WITH asked AS MATERIALIZED (
    SELECT subject, hashtextextended(subject COLLATE "C", coalesce(seed.last_at, 0)) & ${FAILURE_PLACES - 1} AS place
    FROM unnest($1::text[]) AS subject LEFT JOIN sign_in_failure seed ON seed.place = -1
  ), locked AS (
    INSERT INTO sign_in_failure AS known (place, failures, last_at)
    SELECT place, 0, 0 FROM (SELECT DISTINCT place FROM asked ORDER BY place) places
    ON CONFLICT (place) DO UPDATE SET failures = known.failures
    RETURNING place, failures, last_at
  )
  SELECT asked.subject, locked.place, locked.failures, locked.last_at AS "lastAt", coalesce($2::bigint, ${DATABASE_NOW}) AS now
  FROM asked JOIN locked USING (place)`

const SAVE = `
  UPDATE sign_in_failure known SET failures = n.failures, last_at = n.last_at
  FROM unnest($1::bigint[], $2::bigint[], $3::bigint[]) AS n(place, failures, last_at) WHERE known.place = n.place`

interface Row extends SignInFailures {
  readonly subject: string
  readonly place: number
  readonly now: Moment
}

/** Failures to sign in, counted over all replicas under a lock on each subject's place; subjects that share one change it one after the other. */
export function signInFailures({ recordFigures }: Access, clock: GivenClock): SignInThrottle {
  return signInThrottle((subjects, work) =>
    recordFigures(async ({ rows }) => {
      const { changed, ...places } = placesOf(await rows<Row>(LOCK, [subjects.map(storableText), clock?.() ?? null]))
      const result = work(places)
      const known = [...changed.values()]
      const columns = [[...changed.keys()], known.map(({ failures }) => failures), known.map(({ lastAt }) => lastAt)]
      if (changed.size > 0) await rows(SAVE, columns)
      return result
    }),
  )
}

function placesOf(rows: readonly Row[]): FailurePlaces & { readonly changed: ReadonlyMap<number, SignInFailures> } {
  const placeOf = new Map(rows.map(({ subject, place }) => [subject, place]))
  const failures = new Map<number, SignInFailures>(rows.map((row) => [row.place, row]))
  const changed = new Map<number, SignInFailures>()
  const place = (subject: string) => placeOf.get(storableText(subject)) ?? -1
  return {
    now: rows[0]?.now ?? 0,
    changed,
    get: (subject) => failures.get(place(subject)) ?? { failures: 0, lastAt: 0 },
    set(subject, known) {
      failures.set(place(subject), known)
      changed.set(place(subject), known)
    },
  }
}
