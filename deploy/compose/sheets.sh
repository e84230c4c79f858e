#!/bin/sh
# Fetches the sheets of all events every minute. /sheets/cup.env contains the settings of the source
# sheet-cup, one per line in the syntax of systemd, because a shell would stumble over the & in an address.
set -u

cr=$(printf '\r')

fetch() {
  while IFS= read -r line || [ -n "$line" ]; do
    # An editor on Windows ends each line with CR LF.
    line=${line%"$cr"}
    value=${line#*=}
    # systemd takes a value with or without quotes.
    case $value in
      \"*\") value=${value#\"} value=${value%\"} ;;
      \'*\') value=${value#\'} value=${value%\'} ;;
    esac
    case $line in SHEET_*=*) export "${line%%=*}=$value" ;; esac
  done <"$1"
  name=$(basename "$1" .env)
  STATE_DIRECTORY=/var/lib/wartable-sheets/$name timeout 600 sh /live-sheet.sh "sheet-$name"
}

while :; do
  for file in /sheets/*.env; do
    # A subshell, so that the settings end with it.
    if [ -f "$file" ]; then (fetch "$file"); fi
  done
  sleep 60
done
