import { version } from "../../package.json"
import { ON_NPM } from "./project.ts"

export interface Way {
  readonly name: string
  /** Debian packages that have to be there first. */
  readonly needs: readonly string[]
  /** What a person types; $RELEASE is where the release's files are. */
  readonly command: string
  /** How the command is run; by the shell unless given. */
  readonly runner?: string
}

const [architecture, cpu] = process.arch === "arm64" ? ["arm64", "arm64"] : ["amd64", "x64"]
const archive = `adbooth-linux-${cpu}`
const deb = `adbooth_${version}_${architecture}.deb`
const image = `adbooth-image-${version}.tar`

// A system that boots, and runs the command when it has.
const BOOT = `
mkdir -p /run /sys /etc/systemd/system
mount -t tmpfs -o mode=755 run /run
mount -t sysfs -o ro sys /sys
mount -t cgroup2 cgroup /sys/fs/cgroup
echo "ADBOOTH_PORT=$ADBOOTH_PORT" >/etc/adbooth.env
cat >/etc/systemd/system/command.service <<UNIT
[Service]
Type=oneshot
Environment=RELEASE=$RELEASE DEBIAN_FRONTEND=noninteractive
ExecStart=/bin/sh -e /command.sh
UNIT
mkdir -p /etc/systemd/system/multi-user.target.wants
ln -s ../command.service /etc/systemd/system/multi-user.target.wants/
container=clean-root exec /lib/systemd/systemd --log-target=console --log-level=warning
`

// From within a namespace an engine cannot limit all that it limits by itself; and the port is one of the machine's.
const WITH_ENGINE = `
mount -t sysfs -o ro sys /sys
mount -t cgroup2 cgroup /sys/fs/cgroup
mkdir -p /etc/containers
printf '[storage]\\ndriver = "vfs"\\nrunroot = "/run/images"\\ngraphroot = "/var/images"\\n' >/etc/containers/storage.conf
podman() {
  if [ "$1" != run ]; then command podman "$@"; return; fi
  shift
  command podman run --cgroups=disabled --ulimit=host --network=host --env ADBOOTH_PORT "$@"
}
. /command.sh
`

export const WAYS: readonly Way[] = [
  {
    name: "npm",
    needs: ["nodejs", "npm"],
    command: ON_NPM
      ? "npx --yes adbooth serve --demo"
      : `npm install -g $RELEASE/npm-linux-${cpu}-${version}.tgz $RELEASE/npm-adbooth-${version}.tgz && adbooth serve --demo`,
  },
  {
    name: "archive",
    needs: ["curl"],
    command: `curl -fsS $RELEASE/${archive}.tar.gz | tar -xz && ${archive}/adbooth serve --demo`,
  },
  {
    name: "install.sh",
    needs: ["curl"],
    command: "curl -fsS $RELEASE/install.sh | sh && adbooth serve --demo",
  },
  {
    name: "Debian package",
    needs: ["curl"],
    command: `curl -fsSO $RELEASE/${deb} && apt-get install -y ./${deb} && adbooth serve --demo`,
  },
  {
    name: "Debian package, as a service",
    needs: ["curl", "systemd"],
    command: `curl -fsSO $RELEASE/${deb} && apt-get install -y ./${deb}`,
    runner: BOOT,
  },
  {
    name: "container",
    needs: ["curl", "podman"],
    command: `curl -fsSO $RELEASE/${image} && podman load -i ${image} && podman run -p 3000:3000 adbooth:${version} serve --demo`,
    runner: WITH_ENGINE,
  },
]

/** From the release before to this one. */
export const UPGRADE: Way = {
  name: "the upgrade",
  needs: ["curl", "systemd"],
  command: ". /given/upgrade.sh",
  runner: BOOT,
}
