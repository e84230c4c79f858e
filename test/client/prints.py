"""prints.py BASE KEY: everything that a program may print about a client and its errors."""
import sys
import traceback
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2] / "docs/recipes/client"))
from wartable import Wartable

api = Wartable(sys.argv[1], sys.argv[2])
print(repr(api), vars(api), vars(api.tournaments))
attempts = [
    lambda: Wartable(sys.argv[1], sys.argv[2] + "\n"),
    lambda: api.clubs.get("refused"),
    lambda: api.clubs.get("reset"),
    lambda: Wartable("http://127.0.0.1:1", sys.argv[2]).search("nobody there"),
    lambda: list(api.clubs.tournaments("foreign")),
]
for attempt in attempts:
    try:
        attempt()
    except Exception as error:
        print(repr(error), str(error), vars(error), repr(error.__cause__), repr(error.__context__))
        print("".join(traceback.TracebackException.from_exception(error, capture_locals=True).format()))
