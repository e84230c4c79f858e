"""python3 win-rates.py FROM TO: the win rate of each faction in the finished tournaments of a season."""
import math
import os
import sys
from collections import defaultdict
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent / "client"))
from wartable import Wartable

if len(sys.argv) != 3:
    sys.exit("Give the first and the last day of the season, at most a year apart")
api = Wartable(os.environ.get("API", "http://localhost:3000"), os.environ["KEY"])

factions: dict[str, dict[str, int]] = defaultdict(lambda: {"win": 0, "draw": 0, "loss": 0})
for tournament in api.tournaments.list(status="finished", from_=sys.argv[1], to=sys.argv[2]):
    for battle in api.tournaments.battles(tournament["slug"]):
        one, other = battle["players"]
        if None in (one["outcome"], one["faction"], other["faction"]):
            continue
        if one["faction"] == other["faction"]:
            continue  # a mirror
        for side in (one, other):
            factions[side["faction"]][side["outcome"]] += 1


def rate(record: dict[str, int]) -> float:
    return (record["win"] + record["draw"] / 2) / sum(record.values())


print("faction", "battles", "won", "drawn", "lost", "rate", sep="\t")
for faction, record in sorted(factions.items(), key=lambda each: (-rate(each[1]), each[0])):
    percent = math.floor(1000 * rate(record) + 0.5) / 10
    print(faction, sum(record.values()), *record.values(), f"{percent:.1f} %", sep="\t")
