import { backupTime } from "../../../../domain/operations/backup.ts"
import type { StoredCopy } from "../../../../domain/operations/bucket.ts"
import { ButtonLink, Card } from "../../../parts/blocks.tsx"
import { PostButton } from "../../../parts/form.tsx"
import { formatBytes, formatCount, Time } from "../../../parts/format.tsx"
import { type Column, Table } from "../../../parts/table.tsx"

export const BACKUPS = "/app/operator/backups"

export const backupAddress = (name: string): string => `${BACKUPS}/${encodeURIComponent(name)}`

const FACTS: readonly Column<StoredCopy>[] = [
  { title: "Made", cell: ({ name }) => <Time at={backupTime(name)} /> },
  { title: "File", cell: ({ name }) => <code class="wrap">{name}</code>, onPhone: "wide" },
  { title: "Size", cell: ({ bytes }) => formatBytes(bytes), isNumber: true },
]

const FILE_COLUMNS: readonly Column<StoredCopy>[] = [
  ...FACTS,
  { title: "Actions", cell: ({ name }) => <FileActions name={name} />, onPhone: "actions" },
]

const FileActions = ({ name }: { readonly name: string }) => (
  <div class="actions">
    <PostButton action={`${backupAddress(name)}/check`} label="Check" about={`Check: ${name}`} kind="quiet" isSmall />
    <ButtonLink
      href={`${backupAddress(name)}/download`}
      label="Download"
      about={`Download: ${name}`}
      kind="quiet"
      isSmall
    />
    <ButtonLink
      href={`${backupAddress(name)}/restore`}
      label="Restore"
      about={`Restore: ${name}`}
      kind="quiet"
      isSmall
    />
  </div>
)

export const BackupList = ({ files }: { readonly files: readonly StoredCopy[] }) =>
  files.length === 0 ? (
    <p class="card-foot soft">No backups yet.</p>
  ) : (
    <Table caption="Backups" columns={FILE_COLUMNS} rows={files} />
  )

interface CopyListProps {
  readonly copies: readonly StoredCopy[] | string
  readonly files: readonly StoredCopy[]
}

/** What is in the bucket. A copy is fetched before it's restored. */
export function CopyList({ copies, files }: CopyListProps) {
  if (typeof copies === "string")
    return (
      <Card title="Copies in the bucket">
        <p>The copies can’t be listed: {copies}</p>
      </Card>
    )
  const here = new Set(files.map(({ name }) => name))
  const columns: readonly Column<StoredCopy>[] = [
    ...FACTS,
    {
      title: "Actions",
      cell: ({ name }) =>
        here.has(name) ? (
          <span class="soft">Also on this server</span>
        ) : (
          <PostButton action={`${backupAddress(name)}/fetch`} label="Fetch" about={`Fetch: ${name}`} isSmall />
        ),
      onPhone: "actions",
    },
  ]
  return (
    <Card title="Copies in the bucket" count={formatCount(copies.length, "copy", "copies")} isFlush>
      {copies.length === 0 ? (
        <p class="card-foot soft">No backup was copied yet.</p>
      ) : (
        <Table caption="Copies in the bucket" columns={columns} rows={copies} />
      )}
    </Card>
  )
}
