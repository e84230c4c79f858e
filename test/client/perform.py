"""Performs jobs with wartable.py, as perform.mjs does: all jobs at once, the calls of a job one after the other."""
import itertools
import json
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[2] / "docs/recipes/client"))
from wartable import Wartable, WartableError

names = {"baseUrl": "base_url", "timeoutSeconds": "timeout_seconds", "pageSize": "page_size", "from": "from_",
         "everySeconds": "every_seconds"}


def renamed(options: dict[str, Any]) -> dict[str, Any]:
    return {names.get(name, name): value for name, value in options.items()}


def perform_job(job: dict[str, Any]) -> list[Any]:
    api = Wartable(**renamed(job["options"]))
    with ThreadPoolExecutor(len(job["calls"]) if job.get("atOnce") else 1) as pool:
        return list(pool.map(lambda call: perform_call(api, call), job["calls"]))


def perform_call(api: Wartable, call: dict[str, Any]) -> dict[str, Any]:
    *group, last = call["name"].split(".")
    options = renamed(call.get("options", {}))
    if wanted := options.pop("wanted", None):
        options["wanted"] = lambda each: each["kind"] == wanted
    try:
        owner = getattr(api, group[0]) if group else api
        result = getattr(owner, last)(*call.get("args", []), **options)
        is_iterator = hasattr(result, "__next__")
        return {"value": list(itertools.islice(result, call.get("take"))) if is_iterator else result}
    except WartableError as error:
        return {"error": {"kind": type(error).__name__, "message": error.message, "status": error.status,
                          "code": error.code, "requestId": error.request_id, "retryAfter": error.retry_after}}


jobs = json.load(sys.stdin)
with ThreadPoolExecutor(len(jobs)) as jobs_pool:
    json.dump(list(jobs_pool.map(perform_job, jobs)), sys.stdout)
