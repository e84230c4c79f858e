"""A client of the Wartable API in one file: copy it. It needs Python 3.10 or newer and nothing else.
api = Wartable("https://api.example.org", "svc_v1_…")
for tournament in api.tournaments.list(status="ongoing"): print(tournament["name"])"""
import collections, contextlib, gzip, json, random, re, threading, time
from email.utils import parsedate_to_datetime
from typing import Any, Callable, Iterable, Iterator, TypedDict
from urllib.parse import quote, urlencode, urlsplit
from urllib.request import HTTPHandler, HTTPSHandler, OpenerDirector, ProxyHandler, Request

REQUESTS_AT_ONCE, ANSWERS_KEPT, RETRIES, LONGEST_PAUSE = 4, 500, 3, 60  # a longer Retry-After is left to the caller
Row = dict[str, Any]
Rows = list[Row]  # in _Tournaments, list is a method
Text = str | None
Changes = TypedDict("Changes", {"data": list[Row], "pending": list[Row], "after": str, "more": bool})

class WartableError(Exception):
    """Everything that can go wrong. The codes of this file are NO_ANSWER, NOT_THE_API, REDIRECT and FOREIGN_NEXT."""
    def __init__(self, message: str, code: str = "NO_ANSWER", status: int = 0, request_id: Text = None,
                 retry_after: float | None = None) -> None:
        super().__init__(message)
        self.message, self.code, self.status, self.request_id = message, code, status, request_id
        self.retry_after = retry_after  # seconds
        self.is_passing = code == "NO_ANSWER" or status == 429 or status >= 500
class _Secret(str):
    def __repr__(self) -> str: return "(secret)"  # for tools that print the variables of a traceback

class Wartable:
    def __init__(self, base_url: str, key: str, timeout_seconds: float = 20, page_size: int = 100) -> None:
        key = _Secret(key or "")  # first, before anything can fail
        url = urlsplit(base_url)
        if url.scheme not in ("http", "https") or not url.hostname or "@" in url.netloc:
            raise ValueError("base_url must be an address such as https://api.example.org")
        if not re.fullmatch("[!-~]+", key):  # http.client would print it
            raise ValueError("key must be an API key, without spaces and line breaks")
        self._base, self._timeout = f"{url.scheme}://{url.netloc.lower()}{url.path.rstrip('/')}", timeout_seconds
        self._authorization, self._limit = _Secret(f"Bearer {key}"), page_size
        self._kept: collections.OrderedDict[str, tuple[str, bytes]] = collections.OrderedDict()  # by address
        self._turns, self._opener = threading.BoundedSemaphore(REQUESTS_AT_ONCE), OpenerDirector()
        for handler in (ProxyHandler(), HTTPHandler(), HTTPSHandler()): self._opener.add_handler(handler)  # no redirect
        self.tournaments, self.clubs = _Tournaments(self, "tournaments"), _Clubs(self, "clubs")
        self.players, self.battles = _Players(self, "users"), _Battles(self, "battles")
        self.factions = _Factions(self, "factions")

    def search(self, q: str, kind: Text = None) -> list[Row]:
        return list(self._get("extra", "v1", "search", q=q, kind=kind)[1]["data"])
    def changes(self, after: Text = None, pending: Iterable[Row] = (), wanted: Callable[[Row], Any] = bool) -> Changes:
        """Returns what changed after a sequence number, one page, with the documents of the wanted entries. An entry is
        pending until its document has its revision, or a later entry replaces it. Pass `after` and `pending` on."""
        page = self._get("extra", "v1", "changes", is_list=True, after=after, limit=self._limit)[1]
        newest = {(entry["kind"], entry["key"]): entry for entry in [*pending, *page["data"]]}
        found = [(entry, self._document_of(entry)) for entry in filter(wanted, newest.values())]
        return {"data": [{**entry, **document} for entry, document in found if document],
                "pending": [entry for entry, document in found if not document],
                "after": page["after"], "more": page["next"] is not None}
    def watch(self, slug: str, stage: Text = None, every_seconds: float = 15) -> Iterator[Row]:
        """Yields the standings at once and whenever they change. It goes on while the server is away."""
        newest, shown = 0, ""
        while True:
            pause = every_seconds
            try:
                revision, standings = self._get("v1", "tournaments", slug, "standings", stage=stage)
                if (text := json.dumps(standings)) != shown and revision >= newest:  # some servers may be behind
                    newest, shown = revision, text
                    yield standings
            except WartableError as error:
                if not error.is_passing and not (shown and error.code == "NOT_THE_API"): raise  # a proxy's own 404
                pause = max(pause, error.retry_after or 0)
            time.sleep(pause)
    def _document_of(self, entry: Row) -> Row:  # empty while the server does not know of the change
        is_gone = entry["change"] == "gone"
        try:
            revision, body = self._get("v1", f"{entry['kind']}s", entry["key"])
            return {"document": body["data"]} if revision >= entry["revision"] + is_gone else {}
        except WartableError as error:
            if not error.is_passing and error.code != "NOT_FOUND": raise
            return {"document": None} if is_gone and error.code == "NOT_FOUND" else {}
    def _rows(self, *path: str, **query: Any) -> Iterator[Row]:
        page, base = self._get(*path, is_list=True, **query, limit=self._limit)[1], f"{self._base}/api/"
        yield from page["data"]
        while (address := page["next"]) is not None:  # the key goes with every request, so it must be below base
            if not str(address).startswith(base) or re.search(r"/(\.|%2e)|[^!-~]", address, re.IGNORECASE):
                raise WartableError(f"next is {address!r}, not below {base}: is base_url public?", "FOREIGN_NEXT")
            page = self._fetch(address, True)[1]
            yield from page["data"]
    def _get(self, *path: str, is_list: bool = False, **query: Any) -> tuple[int, Row]:
        if {".", ".."} & {*path}: raise WartableError("Not found", "NOT_FOUND", 404)  # that is another endpoint
        target = "/".join(quote(part, safe="") for part in path)
        given = urlencode({name: value for name, value in query.items() if value is not None})
        return self._fetch(f"{self._base}/api/{target}{given and '?'}{given}", is_list)
    def _fetch(self, address: str, is_list: bool) -> tuple[int, Row]:  # the revision and the body
        with self._turns:  # also before a retry: the server asked for fewer requests
            for step in [2**tries / 4 for tries in range(RETRIES)]:
                try: return self._ask(address, is_list)
                except WartableError as error:
                    if not error.is_passing or (error.retry_after or 0) > LONGEST_PAUSE: raise
                    pause = step if error.retry_after is None else error.retry_after
                time.sleep(pause + random.random() * step)
            return self._ask(address, is_list)
    def _ask(self, address: str, is_list: bool) -> tuple[int, Row]:
        held, failure, sent, end = self._kept.get(address), "", b"", time.monotonic() + self._timeout
        headers = {"Authorization": self._authorization, "Accept-Encoding": "gzip"}
        if held: headers["If-None-Match"] = held[0]
        try:
            with self._opener.open(Request(address, headers=headers), timeout=self._timeout) as response:
                while chunk := response.read1():
                    sent += chunk
                    if time.monotonic() > end: raise TimeoutError
                if response.length: raise EOFError
            if response.headers["Content-Encoding"] == "gzip": sent = gzip.decompress(sent)
        except BaseException as error:
            if not isinstance(error, Exception): raise error.with_traceback(None) from None  # as below
            failure = str(getattr(error, "reason", "")) or type(error).__name__
        if failure: raise WartableError(f"No complete answer: {failure}")  # without its cause: that has the key
        status, etag, body = response.status, response.headers["ETag"] or "", None
        about = (status, response.headers["X-Request-Id"], _retry_after(response.headers["Retry-After"] or ""))
        if status == 304 and held: etag, sent = held
        with contextlib.suppress(ValueError, RecursionError): body = json.loads(sent)
        if not isinstance(body, dict): body = {}
        is_whole = isinstance(body.get("data"), list if is_list else (dict, list)) and ("next" in body or not is_list)
        if status not in (200, 304) or not is_whole:
            code = {3: "REDIRECT", 4: "NOT_THE_API"}.get(0 if status == 304 else status // 100, "NO_ANSWER")
            told = {"message": f"This is not an answer of the API (status {status}): check base_url", "code": code}
            if isinstance(body.get("error"), dict): told.update(body["error"])
            raise WartableError(told["message"], told["code"], *about)
        self._kept.pop(address, None)
        if etag: self._kept[address] = (etag, sent)
        if len(self._kept) > ANSWERS_KEPT: self._kept.popitem(last=False)
        if isinstance(body.get("stage"), dict): body["kind"] = body["stage"].get("type")
        return int((re.match(r'W/"(\d+)\.', etag) or ["", "0"])[1]), body

class _Group:
    def __init__(self, api: Wartable, name: str) -> None: self._get, self._rows, self._name = api._get, api._rows, name
class _Battles(_Group):
    def get(self, key: str) -> Row: return dict(self._get("v1", self._name, key)[1]["data"])
class _Owners(_Group):
    def battles(self, key: str, from_: Text = None, to: Text = None) -> Iterator[Row]:
        return self._rows("v1", self._name, key, "battles", **{"from": from_, "to": to})
class _Players(_Owners):
    def tournaments(self, key: str, from_: Text = None, to: Text = None) -> Iterator[Row]:
        return self._rows("extra", "v1", "players", key, "tournaments", **{"from": from_, "to": to})
    def opponents(self, key: str) -> Row: return self._get("extra", "v1", "players", key, "opponents")[1]
class _Factions(_Group):
    def list(self, window: Text = None, pack: Text = None, length: Text = None) -> Row:
        return self._get("extra", "v1", self._name, window=window, pack=pack, length=length)[1]
class _Clubs(_Battles, _Owners):
    def tournaments(self, key: str, from_: Text = None, to: Text = None) -> Iterator[Row]:
        return self._rows("v1", self._name, key, "tournaments", **{"from": from_, "to": to})
class _Tournaments(_Battles):
    def list(self, status: Text = None, from_: Text = None, to: Text = None) -> Iterator[Row]:
        return self._rows("v1", self._name, **{"status": status, "from": from_, "to": to})
    def standings(self, key: str, stage: Text = None) -> Row:
        return self._get("v1", self._name, key, "standings", stage=stage)[1]
    def participants(self, key: str) -> Iterator[Row]: return self._rows("v1", self._name, key, "participants")
    def battles(self, key: str) -> Iterator[Row]: return self._rows("v1", self._name, key, "battles")
    def now(self, key: str) -> Rows: return Rows(self._get("extra", "v1", self._name, key, "now")[1]["data"])
def _retry_after(given: str) -> float | None:
    with contextlib.suppress(TypeError, ValueError, OverflowError):
        seconds = float(given) if given.isdigit() else parsedate_to_datetime(given).timestamp() - time.time()
        return min(seconds, 86_400) if seconds >= 0 else None
    return None
