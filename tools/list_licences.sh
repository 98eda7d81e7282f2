#!/bin/sh
# Writes docs/licences.md: the licence of every package that deploy/requirements.lock names and
# that is installed. Fails at a licence that is unknown, or is of another kind than those below.
set -eu
cd "$(dirname "$0")/.."
allowed="MIT;BSD;Apache;PSF;MPL;Mozilla;ISC"
names=$(sed -n 's/^\([A-Za-z0-9._-]*\)==.*/\1/p' deploy/requirements.lock)
# shellcheck disable=SC2086  # a word each
table=$(.venv/bin/uvx pip-licenses==5.5.5 --python=.venv/bin/python --from=mixed --with-system \
    --format=markdown --order=name --partial-match --allow-only="$allowed" --packages $names)
cat >docs/licences.md <<END
# Licences

SLP Explorer is under the MIT licence; so are the sample data and the checkpoints. It is built from
these packages, written here by \`make licences\`, which stops at a licence that it does not know.

On Linux the lock file also names NVIDIA's CUDA libraries and Triton, which the usual build of torch
asks for: those of NVIDIA come under its own proprietary licence, Triton under MIT. A build of torch
for processors needs none of them.

$table
END
