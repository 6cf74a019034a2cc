import { Banner } from "../banner.tsx"

export interface ConflictField {
  readonly name: string
  readonly label: string
  readonly mine: string
  readonly theirs: string
}

interface ConflictProps {
  /** Who saved meanwhile; null where nobody knows. */
  readonly who: string | null
  /** What was saved, such as "this product". */
  readonly what: string
  readonly fields: readonly ConflictField[]
}

/** Two versions of what two people edited at the same time. Everything else that was typed is in the form below. */
export function Conflict({ who, what, fields }: ConflictProps) {
  return (
    <Banner tone="warn" live>
      <h2>
        {who ?? "Somebody else"} saved {what} while you were editing
      </h2>
      <p>
        {fields.length === 1 ? "One field differs." : `${fields.length} fields differ.`} Yours are in the form below.
        Save to keep them, or change them first.
      </p>
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
            {fields.map(({ name, label, mine, theirs }) => (
              <tr key={name}>
                <th scope="row">{label}</th>
                <td data-label="Yours">{mine || "–"}</td>
                <td data-label="Theirs, saved">{theirs || "–"}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Banner>
  )
}
