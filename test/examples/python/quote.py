"""A quote and its deal, with nothing but Python's own library and the agent's OpenAPI document.

    PARLEY_URL=http://127.0.0.1:8000 PARLEY_KEY=<a buyer's key> python3 examples/python/quote.py

Every operation is found by its operationId, so the same class calls any of them, of a buyer too.
"""

import json
import os
import urllib.error
import urllib.parse
import urllib.request
import uuid


class Agent:
    """An agent as its OpenAPI document describes it."""

    def __init__(self, url: str, key: str = "") -> None:
        self.url = url.rstrip("/")
        self.key = key
        with urllib.request.urlopen(f"{self.url}/openapi.json", timeout=30) as answer:
            document = json.load(answer)
        self.routes = {
            operation["operationId"]: (method.upper(), path)
            for path, methods in document["paths"].items()
            for method, operation in methods.items()
            if "operationId" in operation
        }

    def call(self, operation: str, **given: object) -> dict:
        """The output of the operation. A refusal is raised with its code and message."""
        method, path = self.routes[operation]
        for name in list(given):
            if "{" + name + "}" in path:
                path = path.replace("{" + name + "}", urllib.parse.quote(str(given.pop(name)), safe=""))
        body = None
        if method in ("GET", "DELETE"):
            path += "?" + urllib.parse.urlencode(given, doseq=True) if given else ""
        else:
            body = json.dumps(given).encode()
        request = urllib.request.Request(self.url + path, data=body, method=method)
        request.add_header("Content-Type", "application/json")
        # The same key on a retry gives the first answer again, so that nothing is done twice.
        request.add_header("Idempotency-Key", str(uuid.uuid4()))
        if self.key:
            request.add_header("X-API-Key", self.key)
        try:
            with urllib.request.urlopen(request, timeout=30) as answer:
                return json.load(answer)
        except urllib.error.HTTPError as refusal:
            told = json.load(refusal)
            raise SystemExit(f"{operation}: {told.get('error', refusal.code)}: {told.get('message', told)}")


seller = Agent(os.environ.get("PARLEY_URL", "http://127.0.0.1:8000"), os.environ.get("PARLEY_KEY", ""))
product = seller.call("list_products", limit=1)["products"][0]
quote = seller.call(
    "request_quote",
    product_id=product["product_id"],
    deal_type="PD",
    impressions=50_000,
    flight_start="2027-03-01",
    flight_end="2027-03-31",
)
print(quote["quote_id"], product["name"], quote["pricing"]["final_cpm"], quote["pricing"]["currency"])
deal = seller.call("book_deal", quote_id=quote["quote_id"])
print(deal["deal_id"], deal["status"], deal["total_cost"])
