import { ButtonLink, Card } from "../blocks.tsx"
import { PostButton } from "../form.tsx"

interface ArchiveCardProps {
  readonly noun: "line" | "campaign"
  /** The address of the line or campaign. */
  readonly address: string
  readonly isArchived: boolean
  /** Whether something was reported, so that it can't be deleted. */
  readonly isInUse: boolean
}

/** Takes a line or a campaign out of the lists, or deletes one that was never used. */
export const ArchiveCard = ({ noun, address, isArchived, isInUse }: ArchiveCardProps) => (
  <Card title={isArchived ? `This ${noun} is archived` : "Archive or delete"}>
    <p class="hint">
      {isArchived
        ? "It’s hidden from lists and sums. Totals are still accepted."
        : `An archived ${noun} is left out of lists and sums. It keeps its totals, and you can put it back.`}
    </p>
    <div class="actions">
      <PostButton
        action={`${address}/archive`}
        label={isArchived ? "Put it back" : `Archive ${noun}`}
        fields={{ archived: isArchived ? "no" : "yes" }}
      />
      {!isInUse && <ButtonLink kind="quiet danger" href={`${address}/delete`} label={`Delete ${noun}`} isAsked />}
    </div>
  </Card>
)
