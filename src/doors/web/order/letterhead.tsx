import type { ComponentChildren } from "preact"
import type { Organization } from "../../../domain/people/organization.ts"
import { LOGO_PATH } from "../outer.tsx"
import type { Visit } from "../visit.ts"

export type LetterheadSeller = Organization & { readonly hasLogo?: boolean }

type LetterheadProps = Readonly<{
  visit: Visit
  seller: LetterheadSeller | null
  children?: ComponentChildren
}>

/** Whose paper it is: the seller's, or that of the installation where several sell. */
export const Letterhead = ({ visit, seller, children }: LetterheadProps) => (
  <header class="letterhead">
    <div class="with">
      {seller?.hasLogo === true && <img class="logo" src={LOGO_PATH} alt="" />}
      <b class="figure mid">{sellerWords(visit, seller)}</b>
    </div>
    {children}
  </header>
)

/** The seller by name; where there are several, whoever is asked about orders. */
export const sellerWords = ({ context, origin }: Visit, seller: Pick<Organization, "name"> | null): string =>
  seller?.name ?? context.config.agentContact ?? new URL(origin).host
