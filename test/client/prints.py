"""prints.py BASE KEY: everything that a program may print about a client and its errors."""
import sys
import traceback
from pathlib import Path
from unittest.mock import patch

sys.path.insert(0, str(Path(__file__).parents[2] / "docs/recipes/client"))
from wartable import Wartable

api = Wartable(sys.argv[1], sys.argv[2])
print(repr(api), vars(api), vars(api.tournaments))


def interrupted() -> None:
    with patch("socket.create_connection", side_effect=KeyboardInterrupt):
        api.clubs.get("interrupted")


attempts = [
    interrupted,
    lambda: Wartable("http://[bad", sys.argv[2]),
    lambda: Wartable(sys.argv[1], sys.argv[2] + "\n"),
    lambda: api.clubs.get("refused"),
    lambda: api.clubs.get("reset"),
    lambda: Wartable("http://127.0.0.1:1", sys.argv[2]).search("nobody there"),
    lambda: list(api.clubs.tournaments("foreign")),
]
for attempt in attempts:
    try:
        attempt()
    except BaseException as error:
        print(repr(error), str(error), vars(error), repr(error.__cause__), repr(error.__context__))
        print("".join(traceback.TracebackException.from_exception(error, capture_locals=True).format()))
