#!/bin/sh
# Makes an event live from online sheets: fetches them as CSV, converts them and imports what the server does
# not have yet. A timer starts this script every minute (systemd/wartable-sheet@.timer). See
# docs/organisers.md.
#
# The argument is the source that owns the event. It never comes from the sheet: whoever edits the sheet could
# enter the slug of somebody else's event, which `wartable import` then refuses to change.
#
# Settings: SHEET_EVENT, SHEET_PLAYERS and SHEET_GAMES are the addresses of the sheets. SHEET_OPTIONS are
# further options of `wartable convert`, such as --slug=spring-cup for a sheet without a slug.
# SHEET_REPORT_URL is the incoming webhook of a chat, to which mistakes are sent. STATE_DIRECTORY is the
# folder for what was imported last. `wartable import` needs DATABASE_URL.
set -eu
umask 077

source=${1:?the source, such as sheet-cup}
state=${STATE_DIRECTORY:?the folder for what was imported last}
mkdir -p "$state"
# A killed run leaves its folder behind.
find "$state" -name 'fetched.*' -prune -mmin +60 -exec rm -rf {} +
fetched=$(mktemp -d "$state/fetched.XXXXXX")
trap 'rm -rf "$fetched"' EXIT
trap 'exit 1' HUP INT TERM
cd "$fetched"
# The problems of this run, which a person must read, and how much was imported in spite of them.
: > problems
imported='Nothing was imported.'
is_converted=

say() {
  echo "live-sheet: $1" | tee -a problems >&2
}

# Runs a command and adds its messages, except for notes, to the problems.
heard() {
  code=0
  "$@" 2> said || code=$?
  cat said >&2
  grep -v -e '^note: ' said >> problems || true
  return "$code"
}

# Prints the first lines of standard input as the inside of a JSON string. A chat accepts only 2,000
# characters, and characters that it would turn into a mention are replaced. Cutting a line must not leave
# half a character.
json_text() {
  LC_ALL=C awk 'NR == 7 { printf "\\nand more: see the log" }
    NR > 6 { next }
    { gsub(/[\001-\037]/, " ")
      if (length($0) > 270) { $0 = substr($0, 1, 270); sub(/[\300-\377][\200-\277]*$/, ""); $0 = $0 "..." }
      gsub(/["\\]/, "\\\\&"); gsub(/@/, "＠"); gsub(/</, "‹")
      printf "%s%s", (NR == 1 ? "" : "\\n"), $0 }'
}

# Prints an address as a config file for curl. Everyone on the machine can read the arguments of a program,
# and whoever knows the address can read the sheet or write to the chat.
address_file() {
  printf 'url = "%s"\n' "$(printf %s "$1" | sed 's/["\\]/\\&/g')"
}

# Replaces numbers in messages, because times and counts may differ each time. Numbers of rows, and the number
# of further problems, are kept.
known_form() {
  sed -e '/^[a-z]*\.[a-z]*:[0-9]/b' -e '/^and [0-9]* more problem/b' -e 's/[0-9][0-9]*/N/g'
}

# Prints the problems. Those that have not been reported yet come first.
new_first() {
  : >> "$state/reported"
  known_form < problems | paste -d '\t' - problems |
    awk -F '\t' 'FILENAME == ARGV[1] { known[$0]; next }
      { text = substr($0, length($1) + 2) }
      $1 in known { old = old text "\n"; next }
      { print text }
      END { printf "%s", old }' "$state/reported" -
}

# Sends one message whenever the problems change, and one when there are no problems any more. If a message
# cannot be sent, the next run sends it.
report() {
  if [ -z "${SHEET_REPORT_URL:-}" ]; then return; fi
  known_form < problems | sort -u > known
  if [ -s problems ]; then
    if cmp -s known "$state/reported"; then return; fi
    text=$({ echo "$source: something is wrong. $imported"; new_first; } | json_text)
  else
    if [ ! -s "$state/reported" ]; then return; fi
    text=$(echo "$source: all is right again." | json_text)
  fi
  printf '{"text":"%s","content":"%s","allowed_mentions":{"parse":[]}}' "$text" "$text" > message
  address_file "$SHEET_REPORT_URL" > webhook
  curl --config webhook --fail --silent --show-error --max-time 30 --output answer \
    --header 'content-type: application/json' --data-binary @message || {
    echo 'live-sheet: the report could not be sent: the next run tries again.' >&2
    return
  }
  if [ -s problems ]; then mv known "$state/reported"; else rm "$state/reported"; fi
}

# Reports the problems to `wartable sources` and the alerts. An import records by itself what it refuses.
tell_server() {
  wartable sources report "$source" < problems || true
}

stop() {
  say "$1"
  report
  if [ -z "$is_converted" ]; then tell_server; fi
  exit 1
}

fetch() {
  address_file "$2" > sheet
  heard curl --config sheet --fail --silent --show-error --location --proto-redir =https --max-time 30 \
    --max-filesize 16000000 --output "$1" ||
    stop "$1 could not be fetched: nothing is imported."
}
fetch event.csv "${SHEET_EVENT:?the address of the event sheet}"
fetch players.csv "${SHEET_PLAYERS:?the address of the players sheet}"
fetch games.csv "${SHEET_GAMES:?the address of the games sheet}"

convert() {
  # The options are several words.
  # shellcheck disable=SC2086
  wartable convert ${SHEET_OPTIONS:-} --skip-unreadable-results event.csv players.csv games.csv > event.ndjson
}
heard convert || stop "the sheets are not right yet: nothing is imported."

# Counts the games and byes of a feed, each of which has one of these members. A text cannot contain them,
# because its quotes are escaped.
games_of() {
  grep -o -e '"sides":' -e '"win":' "$1" | wc -l
}
if [ -e "$state/event.ndjson" ]; then
  now=$(($(games_of event.ndjson)))
  last=$(($(games_of "$state/event.ndjson")))
  if [ $((now * 2)) -lt "$last" ]; then
    say "the games have $now rows, fewer than half of the $last rows last imported: nothing is imported."
    stop "If the sheet is right, remove $state/event.ndjson."
  fi
fi

# An import compares the feed with what the server has, and changes nothing that is equal. It waits only
# briefly for the server, because the timer tries again and a person should know.
RECONNECT_SECONDS=30
export RECONNECT_SECONDS
is_converted=yes
wartable import --source "$source" event.ndjson > totals 2> said || {
  if grep -q -e '([1-9][0-9]* changed' -e ' is recorded up to line ' totals said; then imported='Only a part was imported.'; fi
  cat totals
  tee -a problems < said >&2
  echo "live-sheet: $imported" >&2
  stop "the import failed."
}
imported='Everything else was imported.'
if ! grep -q ' recorded (0 changed, ' totals; then
  cat totals
  cat said >&2
fi
# This must come last: a run that is killed before is repeated, and importing the same feed again changes
# nothing.
mv event.ndjson "$state/event.ndjson"
report
# An unreadable result counts as a problem as well, although everything else was imported.
if [ -s problems ]; then tell_server; fi
