#!/bin/sh
# Makes an event live from online sheets: fetches them as CSV, converts them and imports what changed. A timer starts this
# script each minute (systemd/wartable-sheet@.timer). docs/organisers.md explains it.
#
# Settings: SHEET_EVENT, SHEET_PLAYERS and SHEET_GAMES are the addresses of the sheets. SHEET_OPTIONS are further options
# of `wartable convert`. STATE_DIRECTORY keeps what was imported last. `wartable import` needs DATABASE_URL.
set -eu
umask 077

state=${STATE_DIRECTORY:?the folder for what was imported last}
mkdir -p "$state"
# A killed run leaves its folder behind.
find "$state" -name 'fetched.*' -prune -mmin +60 -exec rm -rf {} +
fetched=$(mktemp -d "$state/fetched.XXXXXX")
trap 'rm -rf "$fetched"' EXIT
trap 'exit 1' HUP INT TERM
cd "$fetched"

say() {
  echo "live-sheet: $1" >&2
}

fetch() {
  curl --fail --silent --show-error --location --max-time 30 --max-filesize 16000000 --output "$1" "$2" || {
    say "$1 could not be fetched: nothing is imported."
    exit 1
  }
}
fetch event.csv "${SHEET_EVENT:?the address of the event sheet}"
fetch players.csv "${SHEET_PLAYERS:?the address of the players sheet}"
fetch games.csv "${SHEET_GAMES:?the address of the games sheet}"

# The options are several words.
# shellcheck disable=SC2086
wartable convert ${SHEET_OPTIONS:-} event.csv players.csv games.csv > event.ndjson || {
  say "the sheets are not right yet: nothing is imported."
  exit 1
}

# Each game and each bye of a feed has one of these members. A text cannot contain them: its quotes are escaped.
games_of() {
  grep -o -e '"sides":' -e '"win":' "$1" | wc -l
}
if [ -e "$state/event.ndjson" ]; then
  now=$(($(games_of event.ndjson)))
  last=$(($(games_of "$state/event.ndjson")))
  if [ $((now * 2)) -lt "$last" ]; then
    say "the games have $now rows, fewer than half of the $last rows last imported: nothing is imported."
    say "If the sheet is right, remove $state/event.ndjson."
    exit 1
  fi
fi

if ! cmp -s event.ndjson "$state/event.ndjson"; then wartable import event.ndjson; fi
# Only now. A run that is killed before is repeated, and importing the same feed again changes nothing.
mv event.ndjson "$state/event.ndjson"
