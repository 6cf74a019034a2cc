import { createContext } from "preact"
import { useContext } from "preact/hooks"
import { formatMoment, type Moment } from "../../../domain/time/moment.ts"
import { ago, timeInWords } from "../../../domain/time/time-in-words.ts"
import type { TimeZone } from "../../../domain/time/time-zone.ts"

// A page has one clock, that of its reader. Whatever shows a time looks at it, and the page names its zone once.

export class PageClock {
  /** Whether the page shows a time. */
  isRead = false
  readonly zone: TimeZone
  readonly now: Moment

  constructor(zone: TimeZone, now: Moment) {
    this.zone = zone
    this.now = now
  }
}

export const ClockContext = createContext(new PageClock("UTC", 0))

function useClock(): PageClock {
  const clock = useContext(ClockContext)
  clock.isRead = true
  return clock
}

type TimeProps = Readonly<{ at: Moment }>

export function Time({ at }: TimeProps) {
  return <time datetime={formatMoment(at)}>{timeInWords(at, useClock().zone)}</time>
}

/** How long ago, with the exact moment as a tooltip. */
export function Ago({ at }: TimeProps) {
  const { zone, now } = useClock()
  return (
    <time datetime={formatMoment(at)} title={timeInWords(at, zone)}>
      {ago(at, now, zone)}
    </time>
  )
}

/** The last words of a page that shows times. */
export const ZoneNote = ({ zone }: { readonly zone: TimeZone }) => <p class="hint zone">Times are in {zone}.</p>
