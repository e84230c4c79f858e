"""python3 discord-results.py TOURNAMENT: posts each new result of a tournament into a channel of Discord."""
import json
import os
import re
import sys
import time
from http.client import HTTPException
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

sys.path.insert(0, str(Path(__file__).parent / "client"))
from wartable import Row, Wartable, WartableError

webhook = os.environ.get("DISCORD_WEBHOOK", "")
if len(sys.argv) != 2 or not os.environ.get("KEY") or not webhook.startswith("http"):
    sys.exit("Give the slug of a tournament, and set KEY to an API key and DISCORD_WEBHOOK to your webhook.")
slug = sys.argv[1]
api = Wartable(os.environ.get("API", "http://localhost:3000"), os.environ["KEY"])
file = Path(os.environ.get("STATE") or f"discord-results-{slug}.json")
# The sequence number to continue from, the changes that are pending, and what was posted about each battle.
state: dict[str, Any] = {"after": None, "pending": [], "posted": {}}
if file.exists():
    state.update(json.loads(file.read_text()))


def is_wanted(entry: Row) -> bool:
    return bool(entry["kind"] == "battle" and entry["tournament"] == slug)


def news_of(battle_id: str, battle: Row | None) -> list[tuple[str, str]]:
    """Nothing for a battle that is not finished, or when the same was posted before."""
    if battle is None or battle["players"][0]["outcome"] is None:
        return []
    who = [f"{side['player']} ({side['faction'] or '?'})" for side in battle["players"]]
    points = ["?" if side["victoryPoints"] is None else side["victoryPoints"] for side in battle["players"]]
    end = "a draw" if battle["winner"] is None else f"{battle['winner']} won"
    text = f"Round {battle['round']}: {who[0]} {points[0]}–{points[1]} {who[1]}, {end}"
    return [] if state["posted"].get(battle_id) == text else [(battle_id, text)]


def post(news: list[tuple[str, str]]) -> None:
    lines = [plain(f"Corrected: {text}" if id in state["posted"] else text)[:195] for id, text in news]
    # A player may be called @everyone: nothing in this text calls anybody.
    body = json.dumps({"content": "\n".join(lines), "allowed_mentions": {"parse": []}}).encode()
    # Discord refuses the User-Agent of urllib.
    headers = {"Content-Type": "application/json", "User-Agent": "discord-results"}
    try:
        urlopen(Request(webhook, body, headers), timeout=10).close()
    except HTTPError as error:
        if error.code != 400:
            raise
        # It would refuse the same again, and all later results would wait.
        print("Discord refused this message:", *lines, sep="\n", file=sys.stderr)
        return
    state["posted"].update(news)
    save()


def plain(text: str) -> str:
    """Names are text: Discord would read stars, links and quotes in them."""
    return re.sub(r"[!-/:-@\[-`{-~]", r"\\\g<0>", text)


def save(**changed: Any) -> None:
    state.update(changed)
    new = file.with_name(f"{file.name}.new")
    new.write_text(json.dumps(state))
    new.replace(file)


print(f"Following {api.tournaments.get(slug)['name']}", flush=True)
while True:
    try:
        page = api.changes(state["after"], state["pending"], is_wanted)
        news = [each for entry in page["data"] for each in news_of(entry["key"], entry["document"])]
        for start in range(0, len(news), 10):
            post(news[start : start + 10])
        save(after=page["after"], pending=page["pending"])
        if page["more"]:
            continue
    except (WartableError, OSError, HTTPException) as error:
        print(error, file=sys.stderr)  # the next turn tries again
        if isinstance(error, WartableError) and error.status == 410:
            save(after=None, pending=[])  # the sequence number is too old: start again from now on
    time.sleep(float(os.environ.get("POLL_SECONDS") or 15))
