import { useField } from "./errors.tsx"
import { FieldFrame, Hint, type Labelled } from "./field-frame.tsx"

interface FileFieldProps extends Labelled {
  readonly accept: string
}

/** A place to choose a file, or to drop it on. */
export function FileField({ name, label, hint, accept }: FileFieldProps) {
  const { error, attributes } = useField(name, hint !== undefined)
  return (
    <FieldFrame name={name} label={label} error={error} optional={false}>
      <div class="drop">
        <input id={name} name={name} type="file" accept={accept} required {...attributes} />
        <Hint name={name} hint={hint} />
      </div>
    </FieldFrame>
  )
}
