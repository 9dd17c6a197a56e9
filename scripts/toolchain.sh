# Stores the directory of the Swift toolchain in $toolchain. scripts/release and scripts/profile
# source this file.
# shellcheck shell=bash
toolchain=$(swiftc -print-target-info | sed -n 's|.*"runtimeResourcePath": "\(.*\)/lib/swift".*|\1|p')
if [[ ! -d "$toolchain" ]]; then
  echo "scripts/${0##*/}: swiftc does not name its directory; install a toolchain from swift.org" >&2
  exit 1
fi
