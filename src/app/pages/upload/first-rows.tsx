import { headingOf, type OpenUpload } from "./find-upload.ts"

const ROWS_SHOWN = 5
const CELL_CHARACTERS_MAX = 60

interface FirstRowsProps {
  readonly open: OpenUpload
  readonly address: string
}

/** The beginning of the table as it is in the file. */
export function FirstRows({ open, address }: FirstRowsProps) {
  const { loaded, file } = open
  const { headings, rows } = loaded
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable with the keyboard. */}
      <section class="table" aria-label="First rows of the file" tabIndex={0}>
        <table class="dense">
          <caption class="vh">First rows of the file</caption>
          <thead>
            <tr>
              <th scope="col">Row</th>
              {headings.map((_, column) => (
                <th scope="col">{headingOf(headings, column)}</th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.slice(0, ROWS_SHOWN).map(({ number, cells }) => (
              <tr>
                <th scope="row">{number}</th>
                {headings.map((_, column) => (
                  <td>{(cells[column] ?? "").trim().slice(0, CELL_CHARACTERS_MAX)}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      <form class="card-foot" action={address}>
        <label>
          Row of the headings{" "}
          <input class="inline" name="headings" inputmode="numeric" size={4} value={file.answers.headerRow} />
        </label>{" "}
        <button type="submit" class="button small">
          Change
        </button>
        <span class="hint"> Rows above it are skipped. One column per day? Unpivot the table first.</span>
      </form>
    </>
  )
}
