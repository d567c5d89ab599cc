"""Run inside an environment with chatlas: bytes its notebook display publishes for N pieces. Usage: chatlas_peer.py N PIECE."""

from __future__ import annotations

import json
import sys
from typing import Any

from chatlas._display import IPyMarkdownDisplay
from IPython.core.displaypub import CapturingDisplayPublisher
from IPython.core.interactiveshell import InteractiveShell

shell = InteractiveShell.instance()
shell.display_pub = CapturingDisplayPublisher(parent=shell)
options: Any = {"rich_markdown": {}, "rich_console": {}, "css_styles": {}, "tool_result_max_height": None}
display = IPyMarkdownDisplay(options)
with display:
    for _ in range(int(sys.argv[1])):
        display.echo(sys.argv[2])
sent = [json.dumps({"data": out["data"], "metadata": out["metadata"]}) for out in shell.display_pub.outputs]
print(json.dumps({"bytes": sum(map(len, sent)), "messages": len(sent)}))
