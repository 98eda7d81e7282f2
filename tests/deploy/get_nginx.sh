#!/bin/sh
# Prints where nginx is: the system's, or Debian's package unpacked into the folder that is named.
for name in nginx /usr/sbin/nginx; do
    command -v "$name" 2>/dev/null && exit 0
done
folder=${1:?a folder to unpack nginx into}
if [ ! -x "$folder/usr/sbin/nginx" ]; then
    mkdir -p "$folder" && cd "$folder" || exit 1
    apt-get download nginx >&2 && dpkg -x nginx_*.deb . || {
        echo "No nginx found: install it (Debian: apt-get install nginx)." >&2
        exit 1
    }
fi
echo "$folder/usr/sbin/nginx"
