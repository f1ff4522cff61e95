#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# usage: documents.sh HOME FOLDER PAGE...
# Copies pages of the sources' documents to FOLDER. A link to a page that does not come along is its
# text alone there.
set -eu
root=$1 folder=$2
shift 2
mkdir -p "$folder"
for page; do
  cp "$root/docs/$page.md" "$folder/"
done
for page; do
  file=$folder/$page.md
  { grep -o ']([^)#:]*' "$file" || :; } | cut -c 3- | sort -u | while read -r target; do
    [ -n "$target" ] && [ ! -e "$folder/$target" ] || continue
    sed -z -i "s|\[\([^]]*\)\]($target[^)]*)|\1|g" "$file"
  done
done
