import { changeLogo, removeLogo } from "../../../actions/people/organizations.ts"
import { LOGO_BYTES_MAX, type Logo } from "../../../domain/people/logo.ts"
import { type Errors, readForm } from "../form.ts"
import { FileField } from "../parts/form/file-field.tsx"
import { Form } from "../parts/form/form.tsx"
import { done, goTo } from "../respond.ts"
import { type Answer, forAdmin, withFound } from "../route.ts"
import type { OrganizationVisit } from "../visit.ts"

const settingsOf = ({ organization }: OrganizationVisit) => `/app/o/${organization.slug}/settings`

type LogoSectionProps = Readonly<{ visit: OrganizationVisit; logo: Logo | null; errors: Errors }>

/** The picture for shared reports: shown, replaced and removed. */
export function LogoSection({ visit, logo, errors }: LogoSectionProps) {
  const base = settingsOf(visit)
  return (
    <section class="card narrow">
      <h2>Logo</h2>
      <p class="soft">It stands at the top of the campaign reports that you share, and on paper.</p>
      {logo !== null && (
        <>
          <img class="logo" src={`${base}/logo`} alt={`Logo of ${visit.organization.name}`} />
          <form method="post" action={`${base}/logo/remove`}>
            <button type="submit" class="button quiet danger">
              Remove the logo
            </button>
          </form>
        </>
      )}
      <Form action={`${base}/logo`} submit={logo === null ? "Save logo" : "Replace it"} errors={errors} multipart>
        <FileField
          name="logo"
          label="Picture"
          accept="image/png,image/jpeg,image/webp"
          hint={`PNG, JPEG or WebP, at most ${LOGO_BYTES_MAX / 1024} KB. A wide picture on a white or clear ground looks best.`}
        />
      </Form>
    </section>
  )
}

/** The picture as stored. Whatever is in it, a browser only ever draws it. */
export function logoResponse({ mediaType, base64 }: Logo): Response {
  return new Response(Uint8Array.fromBase64(base64), {
    headers: {
      "Content-Type": mediaType,
      "Content-Security-Policy": "default-src 'none'; sandbox",
      "Content-Disposition": "inline",
      "Cross-Origin-Resource-Policy": "same-origin",
      "X-Content-Type-Options": "nosniff",
    },
  })
}

// The form around the picture.
const FORM_BYTES_MORE = 64 * 1024

/** Saves the picture of the form; `show` shows the settings with what is wrong. */
export async function saveLogo(
  visit: OrganizationVisit,
  show: (visit: OrganizationVisit, errors: Errors) => Answer,
): Promise<Response> {
  const form = await readForm(visit.request, 4 * LOGO_BYTES_MAX + FORM_BYTES_MORE)
  const bytes = new Uint8Array((await form.file("logo")?.arrayBuffer()) ?? new ArrayBuffer(0))
  const error = await changeLogo(visit.context, visit.organization, bytes, visit.actor)
  return error === null
    ? goTo(visit, settingsOf(visit), done("The logo has been saved."))
    : show(visit, { logo: error })
}

async function remove(visit: OrganizationVisit): Promise<Response> {
  await removeLogo(visit.context, visit.organization, visit.actor)
  return goTo(visit, settingsOf(visit), done("The logo has been removed."))
}

const SETTINGS = "/app/o/:org/settings"
const findLogo = ({ context, organization }: OrganizationVisit) => context.store.organizations.logo(organization.id)

export const logoRoutes = [
  forAdmin(
    "GET",
    `${SETTINGS}/logo`,
    withFound(findLogo, (_, logo) => logoResponse(logo)),
  ),
  forAdmin("POST", `${SETTINGS}/logo/remove`, remove),
]
