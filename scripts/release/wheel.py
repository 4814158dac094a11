"""Writes the wheel of a pure Python project with the standard library alone, the same bytes every time.

    wheel.py PROJECT DIRECTORY      needs Python 3.11; prints the path of the wheel

Invariant: every Python file of the project, but tests, is in it, with its digest in RECORD. Times are those of
SOURCE_DATE_EPOCH.
"""

import base64
import hashlib
import os
import pathlib
import sys
import time
import tomllib
import zipfile

project, out = map(pathlib.Path, sys.argv[1:3])
facts = tomllib.loads((project / "pyproject.toml").read_text())["project"]
name, version = facts["name"].replace("-", "_"), facts["version"]
moment = time.gmtime(int(os.environ.get("SOURCE_DATE_EPOCH", time.time())))[:6]
info = f"{name}-{version}.dist-info"
metadata = {
    "Metadata-Version": "2.1",
    "Name": facts["name"],
    "Version": version,
    "Summary": facts["description"],
    "Requires-Python": facts["requires-python"],
    "License": facts["license"],
}
readme = (project / facts["readme"]).read_text() if "readme" in facts else ""
if readme:
    metadata["Description-Content-Type"] = "text/markdown"
files = {
    str(path.relative_to(project)): path.read_bytes()
    for path in sorted(project.rglob("*"))
    if path.suffix in (".py", ".pyi", ".typed") and not {"tests", "build"} & set(path.relative_to(project).parts)
}
files[f"{info}/METADATA"] = "".join([*(f"{key}: {value}\n" for key, value in metadata.items()), "\n", readme]).encode()
files[f"{info}/WHEEL"] = b"Wheel-Version: 1.0\nGenerator: authority-index\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
records = [
    f"{path},sha256={base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b'=').decode()},{len(data)}\n"
    for path, data in files.items()
]
files[f"{info}/RECORD"] = "".join([*records, f"{info}/RECORD,,\n"]).encode()
wheel = out / f"{name}-{version}-py3-none-any.whl"
with zipfile.ZipFile(wheel, "w") as archive:
    for path, data in files.items():
        entry = zipfile.ZipInfo(path, moment)
        entry.external_attr = 0o100644 << 16
        archive.writestr(entry, data, zipfile.ZIP_DEFLATED)
print(wheel)
