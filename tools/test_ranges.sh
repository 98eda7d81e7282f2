#!/usr/bin/env bash
# The built wheel with [app,extra], once beside the oldest packages that pyproject.toml allows and once
# beside the newest: each in a new environment, with some tests. Prints sizes and seconds; leaves nothing.
#
#   tools/test_ranges.sh PYTHON [RESOLUTION ...]
#
# What uv reads from its environment holds: UV_CONSTRAINT (a file) and UV_FIND_LINKS choose a CPU build of
# torch, say, where the index has one with CUDA alone.
set -euo pipefail
cd "$(dirname "$0")/.."
python=$(realpath -s "$1")
uv=$(dirname "$python")/uv
shift
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

tests="
    tests/data/test_data_read.py
    tests/data/test_data_layouts.py
    tests/encoders/test_encoders_text.py
    tests/encoders/test_encoders_text_encoder.py
    tests/evaluation/test_evaluation_cluster.py
    tests/evaluation/test_evaluation_predictions.py
    tests/figures/test_figures_displays.py
    tests/methods/test_estimators.py
    tests/methods/test_nn.py
    tests/methods/test_setfit.py
    tests/methods/test_text_classifiers.py
    tests/pages/test_pages_explain.py
    tests/views/test_views_umap.py
"

"$python" -m pip wheel --quiet --disable-pip-version-check --no-deps --wheel-dir "$folder" .
wheel=$(echo "$folder"/*.whl)

install() { # RESOLUTION: its size and seconds
    local begun=$SECONDS environment=$folder/$1
    "$uv" venv --quiet --python "$python" "$environment"
    # Of a wheel's requirements none is direct, so that the lowest would not be taken
    "$uv" pip install --quiet --python "$environment" --resolution "$1" \
        --requirements pyproject.toml --extra app --extra extra
    "$uv" pip install --quiet --python "$environment" --no-deps "$wheel"
    echo "$1: $(du -sm "$environment" | cut -f1) MB, $((SECONDS - begun)) s," \
        "$("$uv" pip list --quiet --python "$environment" | grep -E '^(numpy|torch) ' | xargs)"
}

[ $# -gt 0 ] || set -- lowest-direct highest
for resolution in "$@"; do
    install "$resolution"
    # Tests run where there is no library beside them: the installed one is tested.
    site=$("$folder/$resolution/bin/python" -c 'import sysconfig; print(sysconfig.get_path("purelib"))')
    copy=$folder/beside-$resolution
    mkdir "$copy"
    cp -r tests tools docs pyproject.toml "$copy"
    ln -s "$site"/slp_explorer/* "$copy"
    "$uv" pip install --quiet --python "$folder/$resolution" \
        $(grep -E '^(pytest|hypothesis|psutil)' requirements-dev.txt)
    (cd "$copy" && OMP_NUM_THREADS=1 "$folder/$resolution/bin/python" -m pytest -n 2 --dist loadfile $tests)
    rm -rf "$folder/$resolution" "$copy"
done
