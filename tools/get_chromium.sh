#!/bin/sh
# Browser tests and benches drive the system's Chromium. Where there is none and it can be had, get it.
for name in chromium-headless-shell chromium chromium-browser google-chrome google-chrome-stable; do
    command -v "$name" >/dev/null 2>&1 && exit 0
done
[ -n "$CHROMIUM" ] && exit 0
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
    echo "Installing Chromium for tests and benches."
    apt-get update -qq
    for package in chromium-headless-shell chromium; do
        apt-get install -y -qq $package fonts-liberation >/dev/null 2>&1 && exit 0
    done
fi
echo "No Chromium found: what drives it will fail. Install it (Debian: apt-get install chromium)," \
    "or set CHROMIUM to the program of one."
