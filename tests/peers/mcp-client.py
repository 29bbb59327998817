"""A real MCP client (the Python SDK) at our stdio server.

    mcp-client.py MODE CALLS COMMAND ARG...

MODE is auto, legacy (the handshake) or a revision such as 2026-07-28. CALLS is a JSON list of [tool, arguments].
Prints one JSON line a thing that happened: "connected", each "tool", then each "call" with its result, or with
"refused" where the protocol itself refused it.
"""

import asyncio
import json
import sys

from mcp.client import Client
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp.shared.exceptions import MCPError


def say(**line):
    print(json.dumps(line), flush=True)


def dumped(model):
    return model.model_dump(mode="json", by_alias=True, exclude_none=True)


async def every_tool(client):
    cursor = None
    while True:
        page = await client.list_tools(cursor=cursor)
        for tool in page.tools:
            yield tool
        cursor = page.next_cursor
        if not cursor:
            return


async def main(mode, calls, command, *arguments):
    server = stdio_client(StdioServerParameters(command=command, args=list(arguments)))
    async with Client(server, mode=mode) as client:
        say(connected=client.protocol_version)
        async for tool in every_tool(client):
            say(tool=dumped(tool))
        for name, args in json.loads(calls):
            try:
                # The client holds a result to the tool's output schema, and raises if it is not of it.
                say(call=name, result=dumped(await client.call_tool(name, args)))
            except MCPError as refusal:
                say(call=name, refused=str(refusal))


asyncio.run(main(*sys.argv[1:]))
