// Runs in a folder with Pyodide's npm package and a folder of wheels; ROOT names the checkout.
import { loadPyodide } from "./package/pyodide.mjs";

const began = performance.now();
const pyodide = await loadPyodide();
console.log(`Pyodide ${pyodide.version} started in ${((performance.now() - began) / 1000).toFixed(1)} s`);
for (const [inside, outside] of [["/site", `${process.cwd()}/site`], ["/src", `${process.env.ROOT}/src`]]) {
  pyodide.FS.mkdirTree(inside);
  pyodide.mountNodeFS(inside, outside);
}
await pyodide.runPythonAsync(`
import importlib, pathlib, sys, time, warnings
sys.path[:0] = ["/src", "/site"]
sys.dont_write_bytecode = True
ours = []
warnings.simplefilter("always")
warnings.showwarning = lambda text, kind, file, line, *rest, **named: ours.append(f"{file}:{line} {text}") if "svc_notebook" in file else None
print("Python", sys.version.split()[0], sys.platform)
files = [path for path in sorted(pathlib.Path("/src/svc_notebook").rglob("*.py")) if path.name != "__main__.py"]
for path in files:
    compile(path.read_text(), str(path), "exec")
print(len(files), "modules compile")
done, missing = 0, {}
for path in files:
    name = ".".join(path.relative_to("/src").with_suffix("").parts).removesuffix(".__init__")
    try:
        importlib.import_module(name)
        done += 1
    except ModuleNotFoundError as error:
        missing[error.name] = missing.get(error.name, 0) + 1
    except Exception as error:
        missing[repr(error)[:80]] = missing.get(repr(error)[:80], 0) + 1
print(done, "of them can be imported; the others miss", missing)
print("warnings of ours:", ours)
from svc_notebook.semantic.loader import load_model
began = time.monotonic()
model = load_model("/src/svc_notebook/demo/model")
print(f"the demo's data model, {len(model.cubes)} cubes, loads in {time.monotonic() - began:.1f} s")
import threading
try:
    threading.Thread(target=print).start()
except RuntimeError as error:
    print("a thread:", error)
`);
