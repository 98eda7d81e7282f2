"""A hub of folders on this computer, for `huggingface_hub` to download from."""

import json
import sys
from hashlib import sha1
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

COMMIT = "0" * 40


class Hub(BaseHTTPRequestHandler):
    """Serves the folder ``root/OWNER/NAME`` as the model ``OWNER/NAME``."""

    root: Path

    def do_GET(self):
        path = self.path.partition("?")[0].removeprefix("/api/models").lstrip("/")
        owner, name, what, *rest = [*path.split("/"), ""]
        folder = self.root / owner / name
        if not folder.is_dir():
            self.reply(404, b"", {"X-Error-Code": "RepoNotFound"})
        elif what == "resolve":
            content = folder.joinpath(*rest[1:]).read_bytes()
            headers = {"ETag": f'"{sha1(content).hexdigest()}"', "X-Repo-Commit": COMMIT}
            self.reply(200, content, headers)
        else:
            files = [file for file in sorted(folder.rglob("*")) if file.is_file()]
            tree = [
                {
                    "type": "file",
                    "path": file.relative_to(folder).as_posix(),
                    "size": file.stat().st_size,
                    "oid": sha1(file.read_bytes()).hexdigest(),
                }
                for file in files
            ]
            said = {"id": f"{owner}/{name}", "sha": COMMIT} if what == "revision" else tree
            self.reply(200, json.dumps(said).encode())

    do_HEAD = do_GET

    def reply(self, status, content, headers=()):
        self.send_response(status)
        for name, value in dict(headers, **{"Content-Length": str(len(content))}).items():
            self.send_header(name, value)
        self.end_headers()
        if self.command == "GET":
            self.wfile.write(content)

    def log_message(self, *_):
        pass


def hub_of(root, port=0):
    """A server of the models in a folder, not yet running."""
    return ThreadingHTTPServer(("127.0.0.1", port), type("Own", (Hub,), {"root": Path(root)}))


if __name__ == "__main__":
    hub_of(sys.argv[1], int(sys.argv[2])).serve_forever()
