"""Buys with the AdCP client of Python, which checks each request and answer by the schemas: buy.py ADDRESS mcp|a2a KEY RELEASE"""

import asyncio
import copy
import json
import sys
import uuid

import adcp.types as types
from adcp import ADCPClient, ValidationHookConfig
from adcp.exceptions import IdempotencyConflictError
from adcp.types import AgentConfig
from adcp.types.core import Protocol

address, protocol, key, release = sys.argv[1:5]
account = {"brand": {"domain": "acme.example"}, "operator": "acme.example"}


def said(result):
    data = result.data and result.data.model_dump(mode="json")
    return {"status": result.status.value, "success": result.success, "data": data, "error": str(result.error)}


async def main():
    config = AgentConfig(
        id="seller", agent_uri=address, protocol=Protocol(protocol), auth_token=key, auth_type="bearer", auth_header="Authorization"
    )
    strict = ValidationHookConfig(requests="strict", responses="strict")
    answers = {}
    async with ADCPClient(config, adcp_version=release, validation=strict) as client:
        await client.get_adcp_capabilities(types.GetAdcpCapabilitiesRequest())
        wanted = {"buying_mode": "wholesale", "account": account}
        products = await client.get_products(types.GetProductsRequest.model_validate(wanted))
        answers["products"] = said(products)
        request = {
            "idempotency_key": str(uuid.uuid4()),
            "account": account,
            "brand": {"domain": "acme.example"},
            "start_time": "2037-03-01T00:00:00Z",
            "end_time": "2037-03-31T00:00:00Z",
            "packages": [
                {
                    # The client hides products whose publisher does not name the seller in its adagents.json.
                    "product_id": "prod-15ba2543",
                    "pricing_option_id": "cpm-pg",
                    "budget": 5000,
                }
            ],
        }

        async def create(body):
            return said(await client.create_media_buy(types.CreateMediaBuyRequest.model_validate(body)))

        answers["created"] = await create(request)
        answers["replayed"] = await create(request)
        other = copy.deepcopy(request)
        other["packages"][0]["budget"] = 6000
        try:
            answers["conflict"] = await create(other)
        except IdempotencyConflictError:
            answers["conflict"] = {"status": "conflict"}
        other["idempotency_key"] = str(uuid.uuid4())
        other["packages"][0]["product_id"] = "none"
        try:
            answers["refused"] = await create(other)
        except Exception as error:
            answers["refused"] = {"status": "refused", "success": False, "error": str(error)}
        buy = answers["created"]["data"]["media_buy_id"]
        named = {"account": account, "media_buy_ids": [buy]}
        answers["read"] = said(await client.get_media_buys(types.GetMediaBuysRequest.model_validate(named)))
        for name, change in [("paused", {"paused": True, "revision": 1}), ("canceled", {"canceled": True})]:
            body = {"idempotency_key": str(uuid.uuid4()), "account": account, "media_buy_id": buy, **change}
            answers[name] = said(await client.update_media_buy(types.UpdateMediaBuyRequest.model_validate(body)))
    print("\n" + json.dumps(answers))


asyncio.run(main())
