#!/bin/sh
# Fetches the sheets of all events each minute. /sheets/cup.env has the settings of the source sheet-cup, one on each line as
# systemd reads them: a shell would stumble over the & in an address.
set -u

fetch() {
  while IFS= read -r line || [ -n "$line" ]; do
    case $line in SHEET_*=*) export "${line?}" ;; esac
  done <"$1"
  name=$(basename "$1" .env)
  STATE_DIRECTORY=/var/lib/wartable-sheets/$name timeout 600 sh /live-sheet.sh "sheet-$name"
}

while :; do
  for file in /sheets/*.env; do
    # In a shell of its own, so that the settings end with it.
    if [ -f "$file" ]; then (fetch "$file"); fi
  done
  sleep 60
done
