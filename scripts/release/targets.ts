export interface Target {
  /** As `npm run build -- --target` calls it. */
  readonly name: string
  readonly program: string
  readonly npm: { readonly os: string; readonly cpu: string; readonly libc?: string }
  /** What Debian and container images call the processor; Linux only. */
  readonly architecture?: "amd64" | "arm64"
}

export const TARGETS: readonly Target[] = [
  {
    name: "linux-x64",
    program: "adbooth",
    npm: { os: "linux", cpu: "x64", libc: "glibc" },
    architecture: "amd64",
  },
  {
    name: "linux-arm64",
    program: "adbooth",
    npm: { os: "linux", cpu: "arm64", libc: "glibc" },
    architecture: "arm64",
  },
  { name: "macos-x64", program: "adbooth", npm: { os: "darwin", cpu: "x64" } },
  { name: "macos-arm64", program: "adbooth", npm: { os: "darwin", cpu: "arm64" } },
  { name: "windows-x64", program: "adbooth.exe", npm: { os: "win32", cpu: "x64" } },
]
