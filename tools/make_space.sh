#!/bin/sh
# Writes the files of a Hugging Face Space, as the last commit has them: tools/make_space.sh FOLDER
set -eu
mkdir -p "${1:?a folder to write the Space into}"
space=$(cd "$1" && pwd)
cd "$(dirname "$0")/.."
# shellcheck disable=SC2046  # a word each: what the container is built from
git archive HEAD $(sed -n 's/^COPY \([^-].*\) [^ ]*$/\1/p' deploy/Containerfile) | tar -x -C "$space"
cp deploy/space.md "$space/README.md"
{
    sed 's/\<8501\>/7860/g' deploy/Containerfile
    echo "# Of a Space: behind its proxy, and in a frame of its page"
    echo "ENV FORWARDED_ALLOW_IPS=* STREAMLIT_SERVER_ALLOWED_HOSTS=* \\"
    echo "    STREAMLIT_SERVER_XSRF_COOKIE_SAME_SITE=none SLP_FRAME_ANCESTORS=https://huggingface.co"
} >"$space/Dockerfile"
