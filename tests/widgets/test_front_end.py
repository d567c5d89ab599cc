"""The front end's modules: one noun each, joined into one without a name said twice."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest

from svc_notebook.front.modules import STATIC, chat_module, joined

FOLDER = STATIC / "chat"


def test_every_module_is_in_and_no_name_stands_twice() -> None:
    seen = set()
    for entry, exported in (("widget", ["export default {"]), ("page", [])):
        text = chat_module(entry)
        files = re.findall(r"^// (\w+\.js)$", text, re.MULTILINE)
        assert files[-1] == f"{entry}.js"
        names = Counter(re.findall(r"^(?:async )?(?:function\*?|const|let|class) (\w+)", text, re.MULTILINE))
        assert [name for name, count in names.items() if count > 1] == []
        assert re.findall(r"^(?:import|export) .*", text, re.MULTILINE) == exported
        seen |= set(files)
    assert seen == {path.name for path in FOLDER.glob("*.js")}


def test_what_a_module_uses_of_another_it_imports() -> None:
    exported = {}
    for path in FOLDER.glob("*.js"):
        for name in re.findall(r"^export (?:async )?(?:function|const|class) (\w+)", path.read_text(), re.MULTILINE):
            exported[name] = path.name
    for path in FOLDER.glob("*.js"):
        text = path.read_text()
        imported = dict.fromkeys(re.findall(r"\w+", " ".join(re.findall(r"^import \{([^}]*)\}", text, re.MULTILINE))))
        body = re.sub(r"^import .*$|//.*$|/\*.*?\*/|\"[^\"\n]*\"", "", text, flags=re.MULTILINE | re.DOTALL)
        used = {n for n, home in exported.items() if home != path.name and re.search(rf"(?<![.\w]){n}\(", body)}
        assert used - set(imported) - set(re.findall(r"(?:const|let) (\w+)", body)) == set(), path.name


def test_modules_stay_small_and_ask_no_host() -> None:
    for path in FOLDER.glob("*.js"):
        text = path.read_text()
        assert len(text.splitlines()) <= 250, path.name
        assert not re.search(r"https?://|\brequire\(|\bdefine\(|\beval\(|new Function", text), path.name
        assert ("fetch(" in text) == (path.name == "page_connection.js"), path.name


def test_a_circle_of_imports_is_told(tmp_path: Path) -> None:
    (tmp_path / "a.js").write_text('import { b } from "./b.js";\nexport const a = 1;\n')
    (tmp_path / "b.js").write_text('import { a } from "./a.js";\nexport const b = 1;\n')
    with pytest.raises(ValueError, match="imports itself by way of"):
        joined(tmp_path / "a.js")
