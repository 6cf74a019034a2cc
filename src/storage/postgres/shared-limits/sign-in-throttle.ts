import {
  type CountedFailure,
  notAhead,
  oneFailureLess,
  oneMoreFailure,
  type SignInFailures,
  signInWaitSeconds,
} from "../../../domain/people/sign-in.ts"
import type { Moment } from "../../../domain/time/moment.ts"
import type { SignInThrottle } from "../../port/people/sign-in-throttle.ts"
import type { Connection } from "../engine/connection.ts"
import { DATABASE_NOW, type GivenClock } from "./clock.ts"
import { storableText } from "./storable-text.ts"

// No flood of names can grow the table beyond these places, nor push a busy one out.
const PLACES = 65_536

/** The places of the subjects $1, made where there are none and locked in one order; $2 is the time of a test, or null. */
const LOCK = `
  WITH asked AS MATERIALIZED (
    SELECT subject, hashtextextended(subject COLLATE "C", coalesce(seed.last_at, 0)) & ${PLACES - 1} AS place
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

/** Failures to sign in, counted over all replicas by the rules of the domain, under a lock on each subject's place. */
export function signInThrottle({ recordFigures }: Connection, clock: GivenClock): SignInThrottle {
  /** Lets `decide` change what is known of the subjects; whoever shares a place changes it one after the other. */
  function update<Result>(subjects: readonly string[], decide: (places: Places) => Result): Promise<Result> {
    return recordFigures(async ({ rows }) => {
      const places = placesOf(await rows<Row>(LOCK, [subjects.map(storableText), clock?.() ?? null]))
      const result = decide(places)
      const changed = [...places.changed]
      if (changed.length > 0) {
        const [failures, lastAt] = [
          changed.map(([, failure]) => failure.failures),
          changed.map(([, failure]) => failure.lastAt),
        ]
        await rows(SAVE, [changed.map(([place]) => place), failures, lastAt])
      }
      return result
    })
  }

  return {
    begin: (subjects) =>
      update(subjects, (places) => {
        for (const subject of subjects) {
          const known = places.get(subject)
          if (known.lastAt > places.now) places.set(subject, notAhead(known, places.now))
        }
        const waitSeconds = Math.max(...subjects.map((subject) => signInWaitSeconds(places.get(subject), places.now)))
        if (waitSeconds > 0) return { waitSeconds, counted: [] }
        const counted = subjects.map((subject): CountedFailure => {
          const before = places.get(subject)
          places.set(subject, oneMoreFailure(before, places.now))
          return { subject, at: places.now, before: before.lastAt }
        })
        return { waitSeconds, counted }
      }),
    takeBack: (counted) =>
      update(
        counted.map(({ subject }) => subject),
        (places) => {
          for (const failure of counted)
            places.set(failure.subject, oneFailureLess(places.get(failure.subject), failure))
        },
      ),
    succeeded: (subjects) =>
      update(subjects, (places) => {
        for (const subject of subjects) places.set(subject, { ...places.get(subject), failures: 0 })
      }),
  }
}

type Places = ReturnType<typeof placesOf>

function placesOf(rows: readonly Row[]) {
  const placeOf = new Map(rows.map(({ subject, place }) => [subject, place]))
  const failures = new Map<number, SignInFailures>(rows.map((row) => [row.place, row]))
  const changed = new Map<number, SignInFailures>()
  const place = (subject: string) => placeOf.get(storableText(subject)) ?? -1
  return {
    now: rows[0]?.now ?? 0,
    changed,
    get: (subject: string): SignInFailures => failures.get(place(subject)) ?? { failures: 0, lastAt: 0 },
    set(subject: string, value: SignInFailures) {
      failures.set(place(subject), value)
      changed.set(place(subject), value)
    },
  }
}
