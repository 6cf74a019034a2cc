import type { FormTexts } from "../../../../domain/schema/form/texts.ts"
import type { Errors } from "../../form.ts"
import { Field } from "../../parts/form/fields.tsx"
import { FormSection } from "../../parts/form/form.tsx"
import { SchemaField } from "../../parts/form/schema-fields.tsx"
import { FORMAT_WORDS, type FormatSection, fieldsOfSection } from "./format-form.ts"

interface Props {
  readonly texts: FormTexts
  readonly errors: Errors
  readonly isNew: boolean
  /** Parts of the format that only JSON shows. */
  readonly left: readonly string[]
  readonly jsonHref: string
}

/** The fields of a format, section by section. */
export function FormatFieldset({ texts, errors, isNew, left, jsonHref }: Props) {
  const fields = (section: FormatSection) =>
    fieldsOfSection(section).map((field) => (
      <SchemaField key={field.name} field={field} texts={texts} errors={errors} words={FORMAT_WORDS} />
    ))
  return (
    <>
      <FormSection title="What it is" hint="Agents read the name and the description.">
        {isNew && (
          <Field
            name="format_id.id"
            label={FORMAT_WORDS.label("id")}
            required
            hint={FORMAT_WORDS.hint("id")}
            autocomplete="off"
          />
        )}
        {fields("about")}
      </FormSection>
      <FormSection title="Sizes" hint="What is shown in which size. Audio and text need none.">
        {fields("sizes")}
      </FormSection>
      <FormSection title="Assets" hint="The files, texts and links that a creative is made of.">
        {fields("assets")}
      </FormSection>
      <FormSection title="More">
        {fields("more")}
        {left.length > 0 && (
          <p class="hint">
            This format also has {left.join(", ")}. They stay as they are; <a href={jsonHref}>edit them as JSON</a>.
          </p>
        )}
      </FormSection>
    </>
  )
}
