import type { AlertCause } from "./alert.ts"

const MEBIBYTE = 1_048_576

/** Null: it could not be read. */
export function diskCause(freeBytes: number | null, minimumBytes: number): AlertCause[] {
  if (freeBytes === null || freeBytes >= minimumBytes) return []
  return [
    {
      kind: "disk_low",
      subject: "",
      title: "Disk space is low",
      detail: `${inMb(freeBytes)} MB are free where the data is. The server stops taking reports when the disk is full.`,
      path: "/app/operator/system",
    },
  ]
}

const inMb = (bytes: number) => Math.floor(bytes / MEBIBYTE).toLocaleString("en")
