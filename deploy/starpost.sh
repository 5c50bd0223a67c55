#!/bin/sh
# The command `starpost` with the folder, token and settings of starpost.service; run it as root.
# Install: sudo install deploy/starpost.sh /usr/local/bin/starpost
set -eu
cd /var/lib/starpost
umask 077
[ ! -e /etc/starpost/token ] || export DISCORD_TOKEN_FILE="${DISCORD_TOKEN_FILE:-/etc/starpost/token}"
[ ! -e /etc/starpost/settings ] || set -- --env-file /etc/starpost/settings "$@"
exec /opt/starpost/venv/bin/starpost "$@"
