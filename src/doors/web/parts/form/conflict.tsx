import type { ConflictUnit, Text } from "../../../../domain/edit-conflict.ts"
import { Banner } from "../banner.tsx"
import { YOU } from "./saved-by.ts"

interface ConflictProps {
  /** Who saved it, such as "Mo Ferreira". */
  readonly who: string
  /** What was saved, such as "this product". */
  readonly what: string
  readonly units: readonly ConflictUnit[]
}

/** Two versions of what two people edited at the same time, to choose from. It stands in a form. */
export function Conflict({ who, what, units }: ConflictProps) {
  return (
    <Banner tone="warn" live>
      <h2>
        {who} saved {what} {who === YOU && "in another window "}after you opened it{who === YOU && " here"}
      </h2>
      <p>{introOf(units.length)}</p>
      {units.length > 0 && (
        <div class="versions">
          <table class="cards">
            <thead>
              <tr>
                <th scope="col">Field</th>
                <th scope="col">Yours</th>
                <th scope="col">Theirs, saved</th>
              </tr>
            </thead>
            <tbody>
              {units.map((unit, at) => (
                <tr key={unit.label}>
                  <th scope="row">{unit.label}</th>
                  <Version unit={unit} at={at} whose="mine" label="Yours" />
                  <Version unit={unit} at={at} whose="theirs" label="Theirs, saved" />
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </Banner>
  )
}

function introOf(count: number): string {
  if (count === 0) return "Nothing that you see here was changed, so yours can be saved as it is."
  const differ = count === 1 ? "One field differs." : `${count} fields differ.`
  return `${differ} Choose what to keep; everything else is saved as you typed it.`
}

type VersionProps = Readonly<{ unit: ConflictUnit; at: number; whose: "mine" | "theirs"; label: string }>

function Version({ unit, at, whose, label }: VersionProps) {
  return (
    <td data-label={label}>
      <label class="choice">
        <input
          type="radio"
          name={`use.${at}`}
          value={whose}
          checked={unit.chosen === whose}
          aria-label={`${unit.label}: ${label}`}
        />
        <span class="wrap">{shortened(Object.entries(unit[whose]))}</span>
      </label>
    </td>
  )
}

const CHARACTERS_MAX = 300

/** The texts of a unit, one after the other. Hidden ones say nothing to people. */
function shortened(texts: readonly [string, Text][]): string {
  const words = texts.filter(([name]) => !name.includes("~")).flatMap(([, text]) => [text].flat())
  const whole = words.filter((text) => text !== "").join(", ")
  if (whole === "") return "Nothing"
  return whole.length > CHARACTERS_MAX ? `${whole.slice(0, CHARACTERS_MAX)}…` : whole
}
